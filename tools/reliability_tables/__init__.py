"""The tables of docs/reliability.md, written from what the commands behind them left in build/."""
