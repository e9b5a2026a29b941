echo 'require("fs").writeFileSync("n.txt", new Date(0).toLocaleDateString("zh-CN", {dateStyle: "full"}))' > n.js
node n.js; grep -q 星期四 n.txt
node -e 'const vm = require("vm"); if (vm.runInNewContext("1 + 1") !== 2) throw 1'
npm --version; npx --version
