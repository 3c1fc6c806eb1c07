import { describe, expect, test } from 'vitest'
import { specificationProblems } from './specification.ts'

const page = 'docs/specification/licenses.md'
const testFile = ['src/a.test.ts', "test('a ban holds', () => {})"] as const
const link = '([a ban holds](../../src/a.test.ts))'
const problemsOf = (text: string, ...others: (readonly [string, string])[]) =>
  specificationProblems(new Map([[page, text], testFile, ...others]))

describe('the pages of the specification', () => {
  test('hold rules by number, each with its test, and citations of those alone', () => {
    const text = `# Licenses\n\n- **LIC-1** A ban holds. ${link}\n- **LIC-2** It does (so far). ([a ban holds](../../src/a.test.ts); [a ban holds](../../src/a.test.ts))\n`
    expect(problemsOf(text, ['src/b.ts', '/** LIC-2, R-LIC-09, LIC-20-A */'])).toEqual([])
    expect(problemsOf(text, ['src/b.ts', '/** LIC-3 */'])).toEqual([
      'src/b.ts cites LIC-3, which docs/specification does not have',
    ])
  })

  test.each([
    ['no test', '- **LIC-1** A ban holds.', 'a rule is'],
    ['a gap', `- **LIC-2** A ban holds. ${link}`, 'LIC-2 stands where LIC-1 is due'],
    ['the same number twice', `- **LIC-1** A. ${link}\n- **LIC-1** B. ${link}`, 'LIC-1 stands where LIC-2 is due'],
    ['another title', '- **LIC-1** A. ([a ban bites](../../src/a.test.ts))', 'no test "a ban bites" in src/a.test.ts'],
    ['a file that is gone', '- **LIC-1** A. ([a ban holds](../../src/b.test.ts))', 'in src/b.test.ts'],
  ])('%s is a problem', (_name, text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)])
  })
})
