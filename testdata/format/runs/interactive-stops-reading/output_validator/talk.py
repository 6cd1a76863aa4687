print("7\n" * 300000, flush=True)
raise SystemExit(43)
