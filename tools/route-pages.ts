import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { paths } from '../src/web/navigation/paths.ts'

const routesFile = fileURLToPath(new URL('../src/web/routes/routes.tsx', import.meta.url))
const lazy = /lazyPage\(\s*\(\) => import\('([^']+)'\)/
const lazyConst = new RegExp(String.raw`const (\w+) = ${lazy.source}`, 'g')
const areaConst = /const (\w+) = createRoute\((\{[^}]*\})\)/g
const screen = /\bat\((\w+), ([^,]+), msg`[^`]*`, (\w+)\)/g

/** The module as the end of its path. */
const moduleOf = (specifier: string): string =>
  specifier.startsWith('#features/')
    ? specifier.replace('#', 'src/')
    : `src/web/${specifier.startsWith('../') ? specifier.slice(3) : specifier.replace('./', 'routes/')}`

export interface RoutePage {
  path: string
  /** Its area and itself. */
  modules: string[]
}

/** The screens of routes.tsx with a fixed path, and the modules that show them. */
export function routePages(source: string = readFileSync(routesFile, 'utf8')): RoutePage[] {
  const modules = new Map<string, string>()
  for (const [, name = '', specifier = ''] of source.matchAll(lazyConst)) modules.set(name, moduleOf(specifier))
  const areas = new Map<string, { prefix: string; module: string | undefined }>()
  for (const [, name = '', options = ''] of source.matchAll(areaConst)) {
    const component = lazy.exec(options)?.[1]
    const named = /component: (\w+)/.exec(options)?.[1]
    const module = component ? moduleOf(component) : modules.get(named ?? '')
    areas.set(name, { prefix: /path: '([^']+)'/.exec(options)?.[1] ?? '', module })
  }
  const found = [...source.matchAll(screen)].map(([call, area = '', written = '', name = '']): RoutePage => {
    const [, fixed] = /^'([^']*)'$/.exec(written) ?? []
    const [, named] = /^paths\.(\w+)\(\)$/.exec(written) ?? []
    const own = modules.get(name)
    const path = fixed ?? (paths as unknown as Record<string, () => string>)[named ?? '']?.()
    if (path === undefined || !own) throw new Error(`Cannot read this route: ${call}`)
    const { prefix, module } = areas.get(area) ?? { prefix: '', module: undefined }
    return { path: prefix + path, modules: module ? [module, own] : [own] }
  })
  const written = source.match(/\bat\((?!parent)/g)?.length ?? 0
  if (found.length !== written) throw new Error(`routes.tsx has ${written} screens, of which ${found.length} are read`)
  return found.filter(({ path }) => !path.includes('$'))
}
