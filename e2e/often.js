// Tests many times over, against one server and one browser, to find the one that fails once in a hundred runs:
//   LUDEX_TIMES=100 node --test --test-name-pattern='cancel|puzzle' often.js

const times = Number(process.env.LUDEX_TIMES ?? 100);
const files = (process.env.LUDEX_FILES ?? "faults.test.js,page.test.js").split(",");
for (let n = 0; n < times; n++) for (const file of files) await import(`./${file}?${n}`);
