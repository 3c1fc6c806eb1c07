import { readFileSync } from 'node:fs'
import { runCommand } from './run-command.ts'
import { contextProblems } from './text-contexts.ts'

/** Every text of the dashboard has its place in both catalogues, and a Portuguese translation. */
const locales = ['en', 'pt-BR']
const catalogue = (locale: string) => `src/web/locales/${locale}.po`
const before = new Map(locales.map((locale) => [locale, readFileSync(catalogue(locale), 'utf8')]))

/** Message ids and translations, without the places in the source that move with every edit. */
function entries(po: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const block of po.split(/\n\n+/)) {
    const text = (name: string) =>
      [...(new RegExp(`^${name} ((?:"[^\\n]*"\\n?)+)`, 'm').exec(block)?.[1] ?? '').matchAll(/"(.*)"/g)]
        .map(([, part]) => part)
        .join('')
    const context = text('msgctxt')
    const id = text('msgid')
    if (id && !block.includes('\n#~') && !block.startsWith('#~')) found.set(`${context}${id}`, text('msgstr'))
  }
  return found
}

const { code, output } = await runCommand('lingui', ['extract', '--clean'], { quiet: true })
const problems: string[] = code === 0 ? [] : [output]
for (const locale of locales) {
  const now = entries(readFileSync(catalogue(locale), 'utf8'))
  const known = entries(before.get(locale) ?? '')
  for (const id of now.keys()) if (!known.has(id)) problems.push(`${locale}: not in the catalogue: ${id}`)
  for (const id of known.keys()) if (!now.has(id)) problems.push(`${locale}: no longer used: ${id}`)
  if (locale !== 'en') for (const [id, text] of now) if (!text) problems.push(`${locale}: not translated: ${id}`)
}
problems.push(...contextProblems(readFileSync(catalogue('en'), 'utf8')))
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('Run npm run texts:extract and translate what is new.')
  process.exitCode = 1
}
