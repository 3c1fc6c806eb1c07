import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** Finds the tests that cite each security requirement in their names. */

const root = dirname(import.meta.dirname)
const number = /\bR-[A-Z0-9]+-\d{2}\b/g

export interface CitingTest {
  file: string
  name: string
}

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** `test`, of `test(…)`, `test.each(…)(…)` and `describe.each<T>(…)(…)`. */
function calledName(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined
  if (callee.type === 'Identifier') return callee['name'] as string
  if (callee.type === 'MemberExpression') return calledName(callee['object'])
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
    return calledName(callee['callee'] ?? callee['tag'])
  return undefined
}

/** A text as in the source; `…` in place of values. */
function textOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Literal' && typeof value['value'] === 'string') return value['value']
  if (value.type !== 'TemplateLiteral') return undefined
  const quasis = value['quasis'] as { value: { cooked: string } }[]
  return quasis.map(({ value: { cooked } }) => cooked).join('…')
}

const issuers = new Set(['test', 'it', 'describe'])

/** The names of tests and groups; rows of `test.each` count as names if they start with a text. */
function namesIn(node: unknown, found: string[]): void {
  if (Array.isArray(node)) {
    for (const each of node) namesIn(each, found)
    return
  }
  if (!isNode(node)) return
  if (node.type === 'CallExpression' && issuers.has(calledName(node['callee']) ?? '')) {
    const [first] = node['arguments'] as unknown[]
    const name = textOf(first)
    if (name !== undefined) found.push(name)
    const rows = isNode(first) && first.type === 'ArrayExpression' ? (first['elements'] as unknown[]) : []
    for (const row of rows) {
      const text = textOf(isNode(row) && row.type === 'ArrayExpression' ? (row['elements'] as unknown[])[0] : row)
      if (text !== undefined) found.push(text)
    }
  }
  for (const [key, value] of Object.entries(node)) if (key !== 'loc') namesIn(value, found)
}

function namesOfTypeScript(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  if (!source.match(number)) return []
  const found: string[] = []
  namesIn(parseSync(file, source).program as unknown, found)
  return found
}

/** Python tests state their guarantee in a docstring. */
function namesOfPython(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/def test_\w+\(self\)[^:]*:\s*"""([^"]+)"""/g)].map(([, name = '']) => name)
}

/** Tests by the cited requirement, in the order of files and of tests in them. */
export function citingTests(): Map<string, CitingTest[]> {
  const files = globSync(['{src,tools,sdks,e2e}/**/*.{test,e2e}.ts', 'sdks/python/tests/test_*.py'], { cwd: root })
  const byNumber = new Map<string, CitingTest[]>()
  for (const file of files.filter((path) => !path.includes('node_modules')).toSorted()) {
    for (const name of file.endsWith('.py') ? namesOfPython(file) : namesOfTypeScript(file)) {
      for (const cited of new Set(name.match(number))) {
        byNumber.set(cited, [...(byNumber.get(cited) ?? []), { file, name }])
      }
    }
  }
  return byNumber
}
