git init -q repo; cd repo; echo '{"a": [1, 2]}' > a.json; git add .
git -c user.name=a -c user.email=b commit -qm 'one'; git log --oneline | grep -q one
test "$(jq '.a | add' a.json)" = 3; rg -q '"a"' .; file a.json | grep -q JSON
zip -q ../a.zip a.json; unzip -t ../a.zip; tar -cJf ../a.tar.xz a.json; ps aux | grep -q sleep
curl --version; echo '1 + 2' | bc; perl -pe 's/a/b/' a.json; iconv -f utf-8 -t gb18030 a.json
