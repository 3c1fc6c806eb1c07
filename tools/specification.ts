import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Finds problems in `docs/specification/` and in citations of its rules, such as LIC-12; part of `npm run check`. */

const root = dirname(import.meta.dirname)
const pages = 'docs/specification'
const rule = /^- \*\*(?<prefix>[A-Z]{2,4})-(?<number>\d+)\*\* [^[]+ \((?<tests>\[.+\]\([^()\s]+\))\)$/
const testLink = /\[(?<title>(?:(?!\]\().)+)\]\((?<link>\.\.[^()\s]+)\)/g

/** File contents by path in the repository. */
export type Files = ReadonlyMap<string, string>

export function specificationProblems(files: Files): string[] {
  const problems: string[] = []
  const last = new Map<string, number>()
  for (const [page, text] of files) {
    if (!page.startsWith(`${pages}/`)) continue
    for (const line of text.split('\n').filter((each) => each.startsWith('- '))) {
      const found = rule.exec(line)?.groups as { prefix: string; number: string; tests: string } | undefined
      if (!found) {
        problems.push(`${page}: a rule is "- **LIC-1** what holds ([title of its test](its file))": ${line}`)
        continue
      }
      const { prefix, number, tests } = found
      const name = `${prefix}-${number}`
      const expected = (last.get(prefix) ?? 0) + 1
      if (Number(number) !== expected) problems.push(`${page}: ${name} stands where ${prefix}-${expected} is due`)
      last.set(prefix, Number(number))
      for (const [, title = '', link = ''] of tests.matchAll(testLink)) {
        const test = posix.normalize(posix.join(pages, link))
        if (!files.get(test)?.includes(title)) problems.push(`${page}: ${name}: no test "${title}" in ${test}`)
      }
    }
  }
  // R-SES-09 is a security requirement, which has its own list.
  const citations = new RegExp(`(?<![\\w-])(${[...last.keys()].join('|')})-(\\d+)(?![\\w-])`, 'g')
  if (last.size === 0) return problems
  for (const [file, text] of files) {
    for (const [name, prefix = '', number] of text.matchAll(citations))
      if (Number(number) < 1 || Number(number) > (last.get(prefix) ?? 0))
        problems.push(`${file} cites ${name}, which ${pages} does not have`)
  }
  return problems
}

const read = (): Files => {
  const names = globSync(['{src,testing,e2e,tools,sdks,bench,docs}/**/*.{ts,tsx,md,py,cs,cpp}', '*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/specification.test.ts'],
  })
  return new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = specificationProblems(read())
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}
