import { blocksOf, pages } from './page-blocks.ts'
import * as p from './client-programs.ts'
const all = pages.filter(p => p !== 'src/web/README.md').flatMap((page) => blocksOf(page))
console.time('ts'); console.log(p.typescriptProblems(all.filter((b) => ['ts','js'].includes(b.language) && b.page !== 'docs/seller-api.md'))); console.timeEnd('ts')
console.time('cpp'); for (const b of all.filter((b) => b.language === 'cpp')) console.log(b.place, p.cppProblems(b)); console.timeEnd('cpp')
for (const [l, c] of Object.entries({ csharp: p.csharpProblems, cmake: p.cmakeProblems, rust: p.foreignFunctionProblems, delphi: p.foreignFunctionProblems })) for (const b of all.filter((b) => b.language === l)) console.log(b.place, c(b))
