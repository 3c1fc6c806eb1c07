import { settingNames } from './config.ts'

/** Read by Node and by PostgreSQL's library. */
const ofOthers = /^(?:NODE_|PG[A-Z]|UV_THREADPOOL_SIZE$|TZ$)/

/** Kubernetes sets them for a service with the name `signet`. */
const ofKubernetes = /^SIGNET_(?:PORT|SERVICE)/

/** Shorter names of other programs are alike by chance. */
const shortest = 6

/**
 * A line for each setting that looks misspelled: every unknown name of the settings file and, because the environment
 * belongs to other programs as well, what is nearly the name of a missing setting there.
 */
export function unknownSettings(inFile: readonly string[], environment: Record<string, string | undefined>): string[] {
  const known = new Set(settingNames)
  const fromFile = inFile
    .filter((name) => !known.has(name) && !ofOthers.test(name))
    .map((name) =>
      lineOf(
        `${name} in .env`,
        nearestSetting(name, (length) => Math.max(1, Math.floor(length / 4))),
      ),
    )
  const isMissing = (name: string) => !environment[name]
  const fromEnvironment = Object.keys(environment)
    .filter((name) => !known.has(name) && !inFile.includes(name) && !ofOthers.test(name) && !ofKubernetes.test(name))
    .flatMap((name) => {
      const meant = nearestSetting(name, (length) => (length < shortest ? -1 : 1))
      return meant && isMissing(meant) ? [lineOf(name, meant)] : []
    })
  return [...fromFile, ...fromEnvironment]
}

const lineOf = (name: string, meant: string | undefined): string =>
  `${name} is not a setting${meant ? `; did you mean ${meant}?` : ''}`

const letters = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/**
 * `mostChanges` of the shorter name's length. Case, underscores, and our prefix don't count: they are misspelled in
 * every way.
 */
function nearestSetting(name: string, mostChanges: (length: number) => number): string | undefined {
  const spellings = [letters(name), letters(name.replace(/^signet_/i, ''))]
  let nearest: { setting: string; changes: number } | undefined
  for (const setting of settingNames) {
    for (const spelling of spellings) {
      const changes = changesBetween(spelling, letters(setting))
      if (changes > mostChanges(Math.min(spelling.length, letters(setting).length))) continue
      if (!nearest || changes < nearest.changes) nearest = { setting, changes }
    }
  }
  return nearest?.setting
}

/** Letters to insert, delete, replace, or swap with the next (optimal string alignment). */
function changesBetween(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const costs = [(row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1)]
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) costs.push((before[j - 2] ?? 0) + 1)
      next.push(Math.min(...costs))
    }
    ;[before, row] = [row, next]
  }
  return row.at(-1) ?? 0
}
