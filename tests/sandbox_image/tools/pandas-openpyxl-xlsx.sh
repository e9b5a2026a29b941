python3 -c "
import pandas
pandas.DataFrame({'城市': ['东京'], 'n': [1]}).to_excel('t.xlsx', index=False)
assert pandas.read_excel('t.xlsx')['城市'][0] == '东京'"
unzip -t t.xlsx
