print("hap")
