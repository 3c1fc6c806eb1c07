import { readFileSync } from 'node:fs'
import { languages } from '#contract/language.ts'
import { catalogProblems, entriesOf } from './catalog-problems.ts'
import { runCommand } from './run-command.ts'
import { contextProblems } from './text-contexts.ts'

/**
 * Checks that each text of the dashboard is in the catalog of each language, with a translation that has the same
 * placeholders.
 */
const catalogs = languages.map(({ code }) => ({ code, file: `src/web/locales/${code}.po` }))
const read = (file: string): string => readFileSync(file, 'utf8')
const before = new Map(catalogs.map(({ code, file }) => [code, read(file)]))

const { code: exitCode, output } = await runCommand('lingui', ['extract', '--clean'], { quiet: true })
const problems: string[] = exitCode === 0 ? [] : [output]
for (const { code, file } of catalogs) {
  const known = await entriesOf(before.get(code) ?? '', code)
  problems.push(...catalogProblems(code, known, await entriesOf(read(file), code)))
}
problems.push(...contextProblems(read('src/web/locales/en.po')))
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('Run npm run texts:extract and translate what is new.')
  process.exitCode = 1
}
