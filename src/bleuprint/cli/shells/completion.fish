function _bleuprint_completion
    for line in (env COMP_WORDS=(commandline -cp) COMP_CWORD=(commandline -ct) \
        _BLEUPRINT_COMPLETE=fish_complete bleuprint)
        set -l parts (string split -m 1 , -- $line)
        if test $parts[1] = file
            set -l name (string match -r '^[^=/]+=' -- $parts[2])
            for path in (__fish_complete_path (string replace -r '^[^=/]+=' '' -- $parts[2]))
                echo "$name$path"
            end
        else
            echo $parts[2]
        end
    end
end
complete --no-files --command bleuprint --arguments "(_bleuprint_completion)"
