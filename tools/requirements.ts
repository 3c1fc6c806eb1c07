import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Requirement, requirements } from '#testing/requirements.ts'
import { type CitingTest, citingTests } from './requirement-tests.ts'

/** `npm run requirements`: writes docs/security-requirements.md from the list and the test names. */

const file = join(dirname(import.meta.dirname), 'docs/security-requirements.md')

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function stateText({ state }: Requirement): string {
  if (state === 'proven') return 'proven'
  if ('partial' in state) return `partial: ${state.partial} missing`
  return `replaced by ${state.replaced}`
}

const testText = ({ file, name }: CitingTest) => `\`${file}\` › ${cell(name)}`

export function requirementsDocument(tests: ReadonlyMap<string, readonly CitingTest[]>): string {
  const count = (states: readonly string[]) =>
    requirements.filter(({ state }) =>
      states.includes(typeof state === 'string' ? state : (Object.keys(state)[0] ?? '')),
    ).length
  const rows = requirements.map((requirement) => {
    const { number, text } = requirement
    const citing = (tests.get(number) ?? []).map(testText).join('<br>')
    return `| ${number} | ${cell(text)} | ${cell(stateText(requirement))} | ${citing} |`
  })
  return `# Security requirements

Made by \`npm run requirements\` from \`testing/requirements.ts\` and from the names of tests: a test that proves a
requirement cites its number. \`src/guarantees/safety.test.ts\` fails if a proven one has lost its tests.

Of ${requirements.length} requirements ${count(['proven'])} are proven, ${count(['partial'])} in part, ${count(['replaced'])} replaced.

| Requirement | In short | State | Tests |
|---|---|---|---|
${rows.join('\n')}
`
}

/** Inconsistencies between the list, the tests and the document. */
export function requirementProblems(
  tests: ReadonlyMap<string, readonly CitingTest[]>,
  document = readFileSync(file, 'utf8'),
): string[] {
  const listed = new Set(requirements.map(({ number }) => number))
  const unknown = [...tests.keys()].filter((number) => number.startsWith('R-') && !listed.has(number))
  const lost = requirements.filter(({ number, state }) => state === 'proven' && !tests.has(number))
  return [
    ...unknown.map((number) => `a test cites ${number}, which testing/requirements.ts does not have`),
    ...lost.map(({ number }) => `${number} is said to be proven, and no test cites it`),
    ...(document === requirementsDocument(tests) ? [] : ['docs/security-requirements.md is old: npm run requirements']),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tests = citingTests()
  const document = requirementsDocument(tests)
  writeFileSync(file, document)
  for (const problem of requirementProblems(tests, document)) console.log(problem)
}
