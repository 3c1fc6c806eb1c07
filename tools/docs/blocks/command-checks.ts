import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '#server/config/config.ts'
import { root } from '../../outdated.ts'
import { type Block, textOf } from './page-blocks.ts'
import { ownUrl, pathProblems, requestProblems } from './server-requests.ts'
import { type Command, parseShell } from './shell-commands.ts'
import { signetProblems } from './signet-command.ts'
import { toolProblems } from './tool-options.ts'

/** Commands of other programs: their arguments are theirs, but paths, settings, and addresses in them are ours. */
const foreignCommands = new Set(
  [
    'apt-get cd cmake cp ctest cut dotnet echo git install nft pip printf python3 sed set sha256sum systemctl systemd-run tar useradd',
    '.venv/bin/pip .venv/bin/python ./build/your_program',
  ].flatMap((line) => line.split(' ')),
)

/** Variables of other programs, and those of ours that aren't settings of the server. */
const otherVariables = new Set(
  'PATH PYTHONPATH NODE_ENV SIGNET_URL SIGNET_KEY SIGNET_WEBHOOK_SECRET BENCH_NODE_FLAGS'.split(' '),
)

interface Manifest {
  scripts?: Record<string, string>
}
function manifestOf(folder: string): Manifest {
  const file = join(root, folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}

/** config.test.ts compares the page with the settings. */
const settings = new Set(
  [...textOf('docs/operate/settings.md').matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z\d_]+)`/g)].map(([, name = '']) => name),
  ),
)

/** Problems of settings as an operator gives them; `isSetting` is false where other variables may stand. */
export function settingProblems(assigned: Readonly<Record<string, string>>, isSetting = true): string[] {
  const unknown = Object.keys(assigned).filter((name) => !settings.has(name) && !otherVariables.has(name))
  if (unknown.length > 0 && isSetting) return unknown.map((name) => `${name} is no setting`)
  const own = Object.entries(assigned).filter(([name, value]) => settings.has(name) && value !== '…')
  try {
    for (const [name, value] of own) if (!name.startsWith('S3_')) readConfig({ [name]: value })
    const store = own.filter(([name]) => name.startsWith('S3_'))
    const secrets = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
    if (store.length > 0) readConfig({ ...secrets, ...Object.fromEntries(store) })
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function scriptProblems(words: readonly string[], isNamed: boolean): string[] {
  const dashes = words.indexOf('--')
  const [own, args] = dashes < 0 ? [words, []] : [words.slice(0, dashes), words.slice(dashes + 1)]
  const workspace = own[own.indexOf('-w') + 1]
  const folder = own.includes('-w') ? (workspace ?? '') : '.'
  const [name = ''] = own.filter((word, index) => !word.startsWith('-') && own[index - 1] !== '-w')
  const extra = own.filter((word) => word.startsWith('-') && !['-w', '--silent', '--'].includes(word))
  const script = manifestOf(folder).scripts?.[name]
  if (script === undefined) return [`${join(folder, 'package.json')} has no script "${name}"`]
  if (extra.length > 0) return [`npm run ${name}: ${extra.join(' ')} belongs behind --`]
  const [, file] = /^node (?:--\S+ )*(\S+\.ts)$/.exec(script) ?? []
  // In a sentence, an argument may be missing or be a word for it.
  if (file && !(isNamed && args.length === 0)) return toolProblems(file, args)
  return []
}

function vitestProblems(words: readonly string[]): string[] {
  const project = words[words.indexOf('--project') + 1] ?? ''
  const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8')
  return !words.includes('--project') || config.includes(`name: '${project}'`) ? [] : [`no test project "${project}"`]
}

function npxProblems([tool = '', ...words]: readonly string[]): string[] {
  const folders = ['node_modules/.bin', 'testing/generated-clients/node_modules/.bin']
  if (!folders.some((folder) => existsSync(join(root, folder, tool)))) return [`${tool} is no package of the tests`]
  return tool === 'vitest' ? vitestProblems(words) : []
}

function npmProblems([verb = '', ...words]: readonly string[], isNamed: boolean): string[] {
  if (verb === 'run') return scriptProblems(words, isNamed)
  if (verb === 'start' || verb === 'test') return scriptProblems([verb, ...words], isNamed)
  return ['ci', 'install', 'prune'].includes(verb) ? [] : [`npm ${verb} is not known here`]
}

/** `docker` with what runs in the container, and with what the Dockerfile declares. */
function dockerProblems(words: readonly string[], isNamed: boolean): string[] {
  const file = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const problems: string[] = []
  const after = (option: string) => words.filter((_, index) => words[index - 1] === option)
  for (const each of after('--build-arg')) {
    const [name = ''] = each.split('=')
    if (!new RegExp(`^ARG ${name}$`, 'm').test(file)) problems.push(`the Dockerfile has no ARG ${name}`)
  }
  for (const each of after('-v')) {
    const path = each.split(':').at(-1) ?? ''
    if (!file.includes(`VOLUME ${path}`)) problems.push(`the image has no volume ${path}`)
  }
  for (const each of after('-p')) {
    const port = each.split(':').at(-1) ?? ''
    if (!file.includes(`EXPOSE ${port}`)) problems.push(`the image doesn't expose port ${port}`)
  }
  const given = after('-e').map((each) => each.split(/=(.*)/s).slice(0, 2) as [string, string])
  problems.push(...settingProblems(Object.fromEntries(given)))
  const inner = words.indexOf('npm')
  return inner < 0 ? problems : [...problems, ...npmProblems(words.slice(inner + 1), isNamed)]
}

const topFolders = /^(?:\.\/)?(?:bench|docs|e2e|sdks|site|src|testing|tools|examples|tests)(?:\/|$)/

/** Paths of the repository, from its root or from the folder of the page. */
function missingPaths(words: readonly string[], page: string): string[] {
  const paths = words.map((word) => word.replace(/^-\w(?=\w+\/)/, '')).filter((word) => topFolders.test(word))
  const exists = (path: string) => [root, join(root, dirname(page))].some((folder) => existsSync(join(folder, path)))
  return paths.filter((path) => !exists(path)).map((path) => `there is no ${path}`)
}

/** Options that a program in `sdks/csharp/examples` reads, and those of our CMake project. */
function clientOptionProblems(words: readonly string[], page: string): string[] {
  const problems: string[] = []
  if (words[0] === 'dotnet' && words[1] === 'run' && words.includes('--')) {
    const sources = globSync('examples/Console/*.cs', { cwd: join(root, dirname(page)) })
    const text = sources.map((file) => readFileSync(join(root, dirname(page), file), 'utf8')).join('\n')
    for (const word of words.slice(words.indexOf('--') + 1)) {
      const [, name = ''] = /^--([\w-]+)/.exec(word) ?? []
      if (!text.includes(`"${name}"`)) problems.push(`the example has no option --${name}`)
    }
  }
  const cmake = words[0] === 'cmake' ? textOf('sdks/cpp/CMakeLists.txt') : ''
  for (const word of cmake ? words : []) {
    const [, name] = /^-D(SIGNET_\w+)=/.exec(word) ?? []
    if (name && !cmake.includes(`option(${name} `)) problems.push(`CMakeLists.txt has no option ${name}`)
  }
  return problems
}

/** Problems of one command. `isNamed`: it stands in a sentence, where arguments may be missing. */
export const commandProblems = (command: Command, page: string, isNamed = false): string[] => [
  ...new Set(problemsOfWords(command, page, isNamed)),
]

function problemsOfWords({ words }: Command, page: string, isNamed: boolean): string[] {
  const [command = '', ...args] = words
  const urls = words
    .flatMap((word) => ownUrl(word) ?? [])
    .filter(({ pathname }) => /^\/(?:clients|api)\//.test(pathname))
  const problems = [
    ...missingPaths(words, page),
    ...clientOptionProblems(words, page),
    ...(command === 'curl' ? [] : urls.flatMap(({ pathname }) => pathProblems('GET', decodeURI(pathname)))),
  ]
  if (command === '') return problems
  // Defined in docs/operate/install.md.
  if (/^(\/usr\/local\/bin\/)?signet-run$/.test(command) || command === 'exec')
    return problemsOfWords({ assigned: {}, words: args }, page, isNamed)
  if (command === 'npm') return [...problems, ...npmProblems(args, isNamed)]
  if (command === 'npx') return [...problems, ...npxProblems(args)]
  if (command === 'signet') return [...problems, ...signetProblems(args, isNamed)]
  if (command === 'curl') return [...problems, ...requestProblems(args)]
  if (command === 'docker') return [...problems, ...dockerProblems(args, isNamed)]
  if (command === 'node') {
    const file = args.findIndex((word) => !word.startsWith('-'))
    if (!/\.[jt]s$/.test(args[file] ?? ''))
      return textOf(page).includes(`\`${args[file]}\``) ? problems : [`no ${args[file]}`]
    return [...problems, ...toolProblems(args[file] ?? '', args.slice(file + 1))]
  }
  return foreignCommands.has(command) ? problems : [...problems, `the command ${command} is not known here`]
}

/** Every command of a block, with the variables that it assigns and reads. */
export function shellProblems({ page, text }: Pick<Block, 'page' | 'text'>): string[] {
  try {
    const { commands, reads } = parseShell(text)
    const assigned = Object.assign({}, ...commands.map((command) => command.assigned)) as Record<string, string>
    // Elsewhere than in the block, the page says what the variable is.
    const rest = textOf(page).replace(text, '')
    const unknown = reads.filter((name) => !new RegExp(`\\b${name}\\b`).test(rest) && !otherVariables.has(name))
    return [
      ...commands.flatMap((command) => commandProblems(command, page)),
      ...settingProblems(assigned),
      ...unknown.map((name) => `nothing says what $${name} is`),
    ]
  } catch (error) {
    return [(error as Error).message]
  }
}

const namedCommand =
  /`((?:[A-Z_]+=\S+ )*(?:npm (?:run|start|test|ci)\b|npx |node [\w/-]+\.ts|signet [a-z]|dotnet |cmake )[^`]*)`/g

/** Commands in the sentences and tables of a page. */
export function namedCommandProblems(page: string, text = textOf(page)): string[] {
  const prose = text.replace(/^( *)```[^]*?^\1```$/gm, '')
  return [...prose.matchAll(namedCommand)].flatMap(([, command = '']) => {
    const { commands } = parseShell(command.replaceAll(/\s+/g, ' '))
    return commands
      .flatMap((each) => [...commandProblems(each, page, true), ...settingProblems(each.assigned)])
      .map((problem) => `${page}: \`${command}\`: ${problem}`)
  })
}
