espeak-ng -v en -w en.wav 'Ten, nine, eight'; espeak-ng -v cmn -w zh.wav '你好，世界'
for f in en zh; do sox $f.wav -n stat 2>&1 | awk '/RMS.*amplitude/ && $3 > 0.01 { ok = 1 } END { exit !ok }'; done
