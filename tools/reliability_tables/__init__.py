"""The tables of bench/tables/reliability.md, written from what the commands behind them left in build/."""
