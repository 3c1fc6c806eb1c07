import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../outdated.ts'
import { type Block, type Check, textOf } from './page-blocks.ts'

/** Blocks in the clients' languages: compiled, or their names looked up in the client. */

/** Problems of Python blocks, by the place of the block; `check-python.py` says what it checks. */
export function pythonProblems(blocks: readonly Block[]): string[] {
  const { stdout, stderr } = spawnSync(
    process.env['SIGNET_PYTHON'] ?? 'python3',
    [join(import.meta.dirname, 'check-python.py')],
    {
      input: JSON.stringify(blocks.map(({ place, text }) => [place, text])),
      env: { ...process.env, PYTHONPATH: join(root, 'sdks/python'), PYTHONDONTWRITEBYTECODE: '1' },
      encoding: 'utf8',
    },
  )
  return stdout === '' ? [stderr] : (JSON.parse(stdout) as string[])
}

/** What stands around a block that continues another one. */
const surroundings: [pattern: RegExp, before: string][] = [
  [/\bdoSomeWork\(/, 'declare const doSomeWork: () => Promise<void>'],
  [/\.\.\.options\b/, "declare const options: import('@signet/client').ClientOptions"],
  [/^(?![^]*\bclient =)[^]*\bclient\./, "declare const client: import('@signet/client').Client"],
  [/^(?![^]*import \{[^}]*\bClient\b)[^]*new Client\(/, "import { Client } from '@signet/client'"],
  [/new Webhook\(/, "import { Webhook } from 'standardwebhooks'\ndeclare const body: string, request: { headers: {} }"],
  [
    /^scenario\(/,
    `import { scenariosOf } from '../sdks/conformance/scenario.ts'
import { failureOf } from '../sdks/conformance/server/model.ts'
const scenario = scenariosOf('sleeping')`,
  ],
]

const compilerOptions = {
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  noUnusedLocals: false,
  // As in the programs of most readers.
  noUncheckedIndexedAccess: false,
  paths: {
    '@signet/client': ['../sdks/typescript/src/client.ts'],
    '@signet/client/node': ['../sdks/typescript/src/node.ts'],
  },
}

/** Compiles the blocks, each as a program of its own, with the types of the client. */
export function typescriptProblems(blocks: readonly Block[]): string[] {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'blocks-'))
  try {
    const inFolder = (path: string) => path.replaceAll('../', '../../')
    const files = blocks.map(({ text }, index) => {
      const before = surroundings.filter(([pattern]) => pattern.test(text)).map(([, lines]) => inFolder(lines))
      const name = `block-${index}.ts`
      // The line of the block in the report is the one in its page.
      const head = before.join(';').replaceAll('\n', ';')
      writeFileSync(join(folder, name), `${head};export {}\n${text}`)
      return name
    })
    const options = JSON.parse(inFolder(JSON.stringify(compilerOptions))) as object
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', compilerOptions: options, files }),
    )
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) =>
        line.replace(/^block-(\d+)\.ts\((\d+),\d+\)/, (_, index: string, inBlock: string) => {
          const block = blocks[Number(index)]
          return `${block?.page}:${(block?.line ?? 0) + Number(inBlock) - 1}`
        }),
      )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const includes = join(root, 'sdks/cpp/include')

/** Compiles C++ without linking it; undefined where there is no compiler. */
export function cppProblems({ text, place }: Block): string[] | undefined {
  const flags = ['-std=c++17', '-fsyntax-only', '-I', includes, '-x', 'c++', '-']
  const { error, status, stderr } = spawnSync(process.env['CXX'] ?? 'c++', flags, {
    input: `void do_some_work();\n#line 1 "${place}"\n${text}`,
    encoding: 'utf8',
  })
  if (error) return undefined
  return status === 0 ? [] : stderr.split('\n').filter((line) => line.includes('error:'))
}

/** Names of the C header with the number of their parameters. */
function cFunctions(): Map<string, number> {
  const header = readFileSync(join(includes, 'signet/signet.h'), 'utf8')
  const found = header.matchAll(/SIGNET_CALL (signet_\w+)\(([^)]*)\)/g)
  return new Map([...found].map(([, name = '', list = '']) => [name, list === 'void' ? 0 : list.split(',').length]))
}

/** Functions of the C header that another language declares: `,` or `;` stands between parameters. */
export const foreignFunctionProblems: Check = ({ text }) => {
  const functions = cFunctions()
  const declared = [...text.matchAll(/\b(signet_\w+)\(([^)]*)\)/g)]
  if (declared.length === 0) return ['the block declares no function of signet.h']
  return declared.flatMap(([, name = '', list = '']) => {
    const parameters = functions.get(name)
    if (parameters === undefined) return [`signet.h has no ${name}`]
    const count = list.split(/[,;]/).length
    return count === parameters ? [] : [`${name} has ${parameters} parameters, not ${count}`]
  })
}

const csharpClasses: Record<string, string> = {
  signet: 'SignetClient',
  session: 'SignetSession',
  error: 'SignetException',
  Lost: 'SignetException',
}

function csharpMembers(name: string): Set<string> {
  const files = globSync(`sdks/csharp/src/Signet.Client/${name}*.cs`, { cwd: root })
  const text = files.map(textOf).join('\n')
  return new Set(
    [...text.matchAll(/^ {4}public (?:[\w<>?[\], ]+ )?(\w+)(?= *[({;=]|$| =>)/gm)].map(([, member = '']) => member),
  )
}

/** Types and members that a C# block uses must be public members of the client. */
export const csharpProblems: Check = ({ text }) => {
  const problems: string[] = []
  for (const [name] of text.matchAll(/\bSignet[A-Z]\w+/g))
    if (globSync(`sdks/csharp/src/Signet.Client/**/${name}.cs`, { cwd: root }).length === 0) problems.push(`no ${name}`)
  const code = text.replace(/"https?:[^"]*"/g, '""')
  for (const [, owner = '', member = ''] of code.matchAll(/\b(signet|session|error|Lost)(?=\??\.(\w+))/g)) {
    const type = csharpClasses[owner] ?? ''
    if (!csharpMembers(type).has(member)) problems.push(`${type} has no ${member}`)
  }
  const [, options = ''] = /new SignetOptions\s*\{([^}]*)\}/.exec(text) ?? []
  for (const [, member = ''] of options.matchAll(/^\s*(\w+) =/gm))
    if (!csharpMembers('SignetOptions').has(member)) problems.push(`SignetOptions has no ${member}`)
  return problems
}

/** The project that a CMake block downloads or finds is ours; other lines are CMake's. */
export const cmakeProblems: Check = ({ text }) => {
  const project = textOf('sdks/cpp/CMakeLists.txt')
  const packaging = globSync('sdks/cpp/cmake/*', { cwd: root }).join(' ')
  const targets = [...text.matchAll(/\bsignet::\w+/g)].flatMap(([name]) =>
    project.includes(`add_library(${name} ALIAS`) ? [] : [`CMakeLists.txt has no target ${name}`],
  )
  const [, found] = /find_package\((\w+)/.exec(text) ?? []
  return found && !packaging.includes(`${found}Config`) && !packaging.includes(`${found}-config`)
    ? [...targets, `there is no CMake package ${found}`]
    : targets
}
