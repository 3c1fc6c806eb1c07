import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run figures`: what the code base looks like in numbers, written into ARCHITECTURE.md. */

const root = dirname(import.meta.dirname)
const begin = '<!-- figures: npm run figures -->'
const end = '<!-- /figures -->'

interface SourceFile {
  path: string
  lines: number
  /** Paths of the files it imports, types too. */
  imports: string[]
}

export interface HouseFigures {
  /** In the order of features.ts. */
  features: { name: string; files: number; lines: number; tests: number; median: number; p95: number }[]
  median: number
  p95: number
  longest: number
  shorterThan30: number
  upward: string[]
  /** Of features, of the dashboard's folders, and of files. */
  circles: string[]
  /** Folders of a kit, and the files at its root, as its parts. */
  kits: { name: string; parts: number; arrows: number }[]
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

export function houseFigures(order: readonly string[]): HouseFigures {
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
    circles: [featureOf, partOfKit('src/web'), (path: string) => path].flatMap((partOf) =>
      circlesOf(edgesBetween(sources, partOf)),
    ),
    kits: ['src/server', 'src/web'].map((name) => {
      const edges = edgesBetween(sources, partOfKit(name))
      return { name, parts: edges.size, arrows: sum([...edges.values()].map(({ size }) => size)) }
    }),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const quantile = (sorted: readonly number[], at: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0

type Edges = ReadonlyMap<string, ReadonlySet<string>>

/** Which parts import which; a file without a part doesn't count. */
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

/** The folder of a kit that a file stands in, or the file itself at its root. */
const partOfKit = (kit: string) => (path: string) =>
  path.startsWith(`${kit}/`) ? path.slice(kit.length + 1).split('/')[0] : undefined

/** Parts that import each other, over however many others. */
function circlesOf(edges: Edges): string[] {
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

export function figuresTable(figures: HouseFigures): string {
  const rows = figures.features.map(
    ({ name, files, lines, tests, median, p95 }) => `| ${name} | ${files} | ${lines} | ${tests} | ${median} | ${p95} |`,
  )
  return [
    '| Feature, in order | Files | Lines | Lines of tests | Median | p95 |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
    '',
    `All of \`src/\`: median ${figures.median} lines, p95 ${figures.p95}, longest ${figures.longest}; ` +
      `${Math.round(figures.shorterThan30 * 100)} % of the files are shorter than 30 lines. ` +
      `Imports upwards: ${figures.upward.length}. Circles, of files too: ${figures.circles.length}. ` +
      figures.kits.map(({ name, parts, arrows }) => `${name}: ${parts} parts, ${arrows} arrows`).join('; ') +
      '.',
  ].join('\n')
}

/** Everything between the two marks of the document. */
export const metricsIn = (document: string): string => document.split(begin)[1]?.split(end)[0]?.trim() ?? ''

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { features } = await import('../src/features.ts')
  const file = join(root, 'ARCHITECTURE.md')
  const document = readFileSync(file, 'utf8')
  const table = figuresTable(houseFigures(features.map(({ name }) => name)))
  const [before = ''] = document.split(begin)
  const after = document.split(end)[1] ?? ''
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${after}`)
  console.log(table)
}
