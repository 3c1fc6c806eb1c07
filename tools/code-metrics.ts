import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run figures`: writes metrics of the code base into ARCHITECTURE.md. */

const root = dirname(import.meta.dirname)
const begin = '<!-- figures: npm run figures -->'
const end = '<!-- /figures -->'

interface SourceFile {
  path: string
  lines: number
  /** Paths of the imported files, including type imports. */
  imports: string[]
}

export interface CodeMetrics {
  /** In the order of features.ts. */
  features: { name: string; files: number; lines: number; tests: number; median: number; p95: number }[]
  median: number
  p95: number
  longest: number
  shorterThan30: number
  upward: string[]
  /** Import cycles between features, between the dashboard's folders, and between files. */
  cycles: string[]
  /** The parts of each kit (its folders and the files at its root) and the imports between them. */
  kits: { name: string; parts: number; dependencies: number; layers: number }[]
}

const isTest = (path: string) => /\.(test|e2e)\.tsx?$/.test(path)

function readSources(): SourceFile[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const specifiers = [...text.matchAll(/(?:from|import) '([#.][^']+)'|import\('([#.][^']+)'\)/g)]
    const imports = specifiers.map(([, named, lazy]) => pathOf(path, (named ?? lazy) as string))
    return { path, lines: text.split('\n').length - 1, imports }
  })
}

const pathOf = (from: string, specifier: string): string =>
  specifier.startsWith('#')
    ? `src/${specifier.slice(1)}`
    : relative(root, resolve(root, dirname(from), specifier)).replaceAll('\\', '/')

const featureOf = (path: string): string | undefined => /^src\/features\/([^/]+)\//.exec(path)?.[1]

export function codeMetrics(order: readonly string[]): CodeMetrics {
  const all = readSources()
  const sources = all.filter(({ path }) => !isTest(path))
  const lines = sources.map((file) => file.lines).toSorted((one, other) => one - other)
  const upward = sources.flatMap(({ path, imports }) =>
    imports
      .filter((imported) => {
        const [from, to] = [featureOf(path), featureOf(imported)]
        return from && to && from !== to && order.indexOf(to) > order.indexOf(from)
      })
      .map((imported) => `${path} imports ${imported}`),
  )
  return {
    features: order.map((name) => {
      const own = sources.filter(({ path }) => featureOf(path) === name)
      const ownLines = own.map((file) => file.lines).toSorted((one, other) => one - other)
      const tests = all.filter(({ path }) => isTest(path) && featureOf(path) === name)
      return {
        name,
        files: own.length,
        lines: sum(ownLines),
        tests: sum(tests.map((file) => file.lines)),
        median: quantile(ownLines, 0.5),
        p95: quantile(ownLines, 0.95),
      }
    }),
    median: quantile(lines, 0.5),
    p95: quantile(lines, 0.95),
    longest: lines.at(-1) ?? 0,
    shorterThan30: lines.filter((count) => count < 30).length / lines.length,
    upward,
    cycles: [featureOf, partOfKit('src/server'), partOfKit('src/web'), (path: string) => path].flatMap((partOf) =>
      cyclesOf(edgesBetween(sources, partOf)),
    ),
    kits: ['src/server', 'src/web'].map((name) => {
      const edges = edgesBetween(sources, partOfKit(name))
      return {
        name,
        parts: edges.size,
        dependencies: sum([...edges.values()].map(({ size }) => size)),
        layers: layersOf(edges),
      }
    }),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const quantile = (sorted: readonly number[], at: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0

type Edges = ReadonlyMap<string, ReadonlySet<string>>

/** Imports between parts; files without a part are ignored. */
function edgesBetween(sources: readonly SourceFile[], partOf: (path: string) => string | undefined): Edges {
  const edges = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const from = partOf(path)
    if (from === undefined) continue
    const targets = edges.get(from) ?? new Set()
    for (const to of imports.map(partOf)) if (to !== undefined && to !== from) targets.add(to)
    edges.set(from, targets)
  }
  return edges
}

/** The part of a kit that contains a file: its folder, or the file itself at the root. */
const partOfKit = (kit: string) => (path: string) =>
  path.startsWith(`${kit}/`) ? path.slice(kit.length + 1).split('/')[0] : undefined

/** The longest chain of parts that import each other; infinite if there is a cycle. */
function layersOf(edges: Edges): number {
  const depths = new Map<string, number>()
  const depthOf = (part: string): number => {
    const known = depths.get(part)
    if (known !== undefined) return known
    depths.set(part, Infinity)
    const depth = 1 + Math.max(0, ...[...(edges.get(part) ?? [])].map(depthOf))
    depths.set(part, depth)
    return depth
  }
  return Math.max(...[...edges.keys()].map(depthOf))
}

/** Import cycles, direct or indirect. */
function cyclesOf(edges: Edges): string[] {
  const found: string[] = []
  const finished = new Set<string>()
  const visit = (part: string, trail: readonly string[]): void => {
    if (trail.includes(part)) found.push([...trail.slice(trail.indexOf(part)), part].join(' → '))
    if (trail.includes(part) || finished.has(part)) return
    for (const next of edges.get(part) ?? []) visit(next, [...trail, part])
    finished.add(part)
  }
  for (const part of edges.keys()) visit(part, [])
  return found
}

export function metricsTable(metrics: CodeMetrics): string {
  const rows = metrics.features.map(
    ({ name, files, lines, tests, median, p95 }) => `| ${name} | ${files} | ${lines} | ${tests} | ${median} | ${p95} |`,
  )
  return [
    '| Feature, in order | Files | Lines | Lines of tests | Median | p95 |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
    '',
    `All of \`src/\`: median ${metrics.median} lines, p95 ${metrics.p95}, longest ${metrics.longest}; ` +
      `${Math.round(metrics.shorterThan30 * 100)} % of the files are shorter than 30 lines. ` +
      `Imports upwards: ${metrics.upward.length}. Import cycles, between files too: ${metrics.cycles.length}. ` +
      metrics.kits
        .map(
          ({ name, parts, dependencies, layers }) =>
            `${name}: ${parts} parts, ${dependencies} dependencies, ${layers} layers`,
        )
        .join('; ') +
      '.',
  ].join('\n')
}

/** The text between the two markers of the document. */
export const metricsIn = (document: string): string => document.split(begin)[1]?.split(end)[0]?.trim() ?? ''

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { features } = await import('../src/features.ts')
  const file = join(root, 'ARCHITECTURE.md')
  const document = readFileSync(file, 'utf8')
  const table = metricsTable(codeMetrics(features.map(({ name }) => name)))
  const [before = ''] = document.split(begin)
  const after = document.split(end)[1] ?? ''
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${after}`)
  console.log(table)
}
