import { globSync } from 'node:fs'
import { features } from '../../../src/features.ts'
import { root } from '../../outdated.ts'
import { type Check, blocksOf, textOf } from './page-blocks.ts'

/** Names in the blocks of src/web/README.md, which show parts of screens and can't be compiled. */

const sources = () => globSync('src/{web,features/*/web}/**/*.{ts,tsx}', { cwd: root })

let declared: Set<string> | undefined

function declaredNames(): Set<string> {
  const text = sources().map(textOf).join('\n')
  return new Set([...text.matchAll(/\b(?:function|const|class) (\w+)/g)].map(([, name = '']) => name))
}

const calls = () =>
  new Set(features.flatMap(({ endpoints }) => endpoints.map(({ call: { method, path } }) => `${method} ${path}`)))

/** Components, hooks, and calls must exist in the dashboard, or be declared on the page. */
export const dashboardProblems: Check = ({ page, text }) => {
  declared ??= declaredNames()
  const own = blocksOf(page)
    .map((block) => block.text)
    .join('\n')
  const isDeclared = (name: string) => declared?.has(name) || new RegExp(`\\b(?:function|const) ${name}\\b`).test(own)
  const icons = /icon=\{<(\w+)/g
  const libraries = new Set(['useCallback', ...[...text.matchAll(icons)].map(([, icon = '']) => icon)])
  const names = [...text.matchAll(/<([A-Z]\w+)(?=[\s/>])|\b((?:use|read|notify)[A-Z]\w*)\(/g)].map(
    ([, component, hook]) => component ?? hook ?? '',
  )
  const asked = [...text.matchAll(/'((?:GET|POST|PUT|DELETE) \/[\w/{}-]+)'/g)].map(([, call = '']) => call)
  const known = calls()
  return [
    ...names.filter((name) => !libraries.has(name) && !isDeclared(name)).map((name) => `the dashboard has no ${name}`),
    ...asked.filter((call) => !known.has(call)).map((call) => `there is no call ${call}`),
  ]
}
