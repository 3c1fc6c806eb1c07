import { blocksOf, pages } from './page-blocks.ts'
import { shellProblems } from './command-checks.ts'
let n = 0
for (const page of pages) for (const block of blocksOf(page)) {
  if (!['sh','bash'].includes(block.language) || block.info.includes('run')) continue
  n++
  const p = shellProblems(block)
  if (p.length) console.log(block.place, p)
}
console.log(n)
