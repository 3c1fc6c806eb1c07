import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { csharpProject, type InstallCommands, installCommands } from '#features/apps/web/client-packages.ts'
import {
  cppSnippet,
  csharpSnippet,
  type ProgramSettings,
  pythonSnippet,
  typescriptSnippet,
} from '#features/apps/web/client-snippets.ts'
import { type CodeLine, snippetText } from '#features/apps/web/code-lines.ts'

/** Writes docs/start/quick-start-*.md, whose programs are those that the dashboard shows. */

const root = dirname(dirname(import.meta.dirname))

const settings: ProgramSettings = {
  ownerId: 'YOUR_OWNER_ID',
  appName: 'Prism Studio',
  version: '1.0.0',
  hashCheck: false,
  hashToCheck: '',
  serverUrl: 'http://127.0.0.1:8080',
  sslFingerprint: 'auto',
  sealingKey: 'YOUR_SEALING_KEY',
  verificationKey: 'YOUR_VERIFICATION_KEY',
}

const testKey = 'TEST-4QXR-77TK-M2WD-K7F3'

interface Language {
  name: string
  requires: string
  /** Where the program goes. */
  save: string
  /** The language as code blocks name it. */
  fence: string
  snippet: (settings: ProgramSettings, key?: string) => CodeLine[]
  /** The text of the step that installs the client; `install` is the dashboard's command. */
  install: (install: string) => string
  run: string
  /** How this language asks whether the program may go on, and the option for another machine ID. */
  isValid: string
  hwid: string
  readme: string
}

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

const languages: Record<keyof InstallCommands, Language> = {
  python: {
    name: 'Python',
    requires: 'Python 3.9 or newer',
    save: 'save it as `program.py`',
    fence: 'python',
    snippet: pythonSnippet,
    install: (
      install,
    ) => `Install the client into a virtual environment beside your program. The server itself offers the package.

${block('sh', `python3 -m venv .venv\n.venv/bin/${install}`)}

On Windows, the command is \`.venv\\Scripts\\pip\`. The client needs one other package, \`cryptography\`, which pip installs
from PyPI.`,
    run: '.venv/bin/python program.py',
    isValid: 'signet.is_valid()',
    hwid: 'hwid',
    readme: 'sdks/python/README.md',
  },
  typescript: {
    name: 'TypeScript',
    requires: 'Node 20.16 or newer',
    save: 'save it as `program.mjs`',
    fence: 'ts',
    snippet: typescriptSnippet,
    install: (
      install,
    ) => `Install the client into the folder of your program. The server itself offers the package, which has no dependencies.

${block('sh', install)}

The program has no type annotations, so it's JavaScript as well: saved as \`program.mjs\`, it runs without a compiler. In
a TypeScript project, save it as a \`.ts\` file; the package includes its types.`,
    run: 'node program.mjs',
    isValid: 'signet.isValid()',
    hwid: 'hwid',
    readme: 'sdks/typescript/README.md',
  },
  csharp: {
    name: 'C#',
    requires: 'the .NET SDK 10',
    save: 'keep it for the next step',
    fence: 'csharp',
    snippet: csharpSnippet,
    install: (
      install,
    ) => `Create a console project, unpack the client's sources beside it, and refer to them. The server itself offers the
sources.

${block('sh', install)}

Don't unpack the sources inside the project's folder: a .NET project compiles every \`.cs\` file below it. Then replace
the contents of \`${csharpProject}/Program.cs\` with the program from step 4. The client needs
\`BouncyCastle.Cryptography\`, which the SDK downloads from NuGet.`,
    run: `dotnet run --project ${csharpProject}`,
    isValid: 'signet.IsValid',
    hwid: 'Hwid',
    readme: 'sdks/csharp/README.md',
  },
  cpp: {
    name: 'C++',
    requires: 'CMake 3.20, a C++17 compiler, libcurl 7.68, OpenSSL 3.0, and nlohmann/json 3.11, each or newer',
    save: 'save it as `program.cpp`',
    fence: 'cpp',
    snippet: cppSnippet,
    install: (
      install,
    ) => `Save this as \`CMakeLists.txt\` beside your program. CMake downloads the client's sources from your server and compiles
them with your program.

${block('cmake', `cmake_minimum_required(VERSION 3.20...3.28)\nproject(prism C CXX)\nadd_executable(your_program program.cpp)\n\n${install}`)}

On Debian 12, Ubuntu 24.04, and newer ones, this installs the libraries, as root:

${block('sh', 'apt-get install -y libcurl4-openssl-dev libssl-dev nlohmann-json3-dev')}

The client is tested on Linux.`,
    run: 'cmake -S . -B build && cmake --build build\n./build/your_program',
    isValid: 'client.is_valid()',
    hwid: 'hwid',
    readme: 'sdks/cpp/README.md',
  },
}

function page(key: keyof InstallCommands): string {
  const { name, requires, save, fence, snippet, hwid, install, run, isValid, readme } = languages[key]
  return `---
title: Quick start for ${name}
description: Go from an empty folder to a ${name} program that rejects a banned license, in about ten minutes.
---

At the end of this page, a small ${name} program signs in with a license. Then you ban the license, and the program
says so.

You need ${requires}.
To run your own server, you also need Node 20 or newer with npm.

## 1. Start a server

In a copy of the Signet repository, run this, and leave it running:

${block('sh', 'npm ci && npm start')}

The first start prints a link, \`${settings.serverUrl}/register?setup=…\`. Open it and create your account. It becomes the
server's administrator and has no plan limits. The link works once, within 24 hours.

If somebody else runs a server for you, register there instead, and use its address wherever this page says
\`${settings.serverUrl}\`. A server on another machine needs \`https://\`: by default, the client rejects plain HTTP to any
machine but its own.

## 2. Create an app

An app is one program that you protect. Select **Create New App**, enter \`${settings.appName}\` as the name, and select
**Create**. The app has its own keys, version \`${settings.version}\`, and one subscription level, Basic. Its page
**Connect** opens.

## 3. Create a test key

On **Connect**, select **Create test key**. It's a license of the level Basic for 30 days, which start when the key is
used for the first time.

## 4. Write the program

**Connect** now has this program with your own values and the key in it. Copy it from there, under **${name}**, and
${save}:

${block(fence, snippetText(snippet(settings, testKey)))}

The two keys are public keys. They are safe to ship: with them, your program can verify what the server says, and nobody
can sign an answer.

## 5. Install the client

${install(installCommands(settings.serverUrl)[key])}

## 6. Run it

${block('sh', run)}

It signs in:

${block('text', `Signed in as ${testKey}.`)}

**Connect** shows when and on which machine, without a reload. The license now belongs to this machine.

## 7. Ban the license

On **Connect**, select **Ban the key** and confirm. Run the program again:

${block('text', 'This license is banned. Contact the seller.\nSupport code: K7F3-92QD')}

The program exits with code 1, and **Connect** shows the rejection. Select **Unban the key**, and the program signs in
again.

Customers can send you the support code. Paste it under **Logs → Why was this rejected?** to see the reason, and to let
them in.

## 8. Ask your customers for their key

The program that you ship asks for a license key and prints until when it runs. Copy it from **Settings**, where the card
**Connect your program** has it with your own values:

${block(fence, snippetText(snippet(settings)))}

Create your customers' licenses on **Licenses**.

## If it prints something else

| Message | Reason |
|---|---|
| The license server can't be reached. | The server isn't running, or its address in the program is wrong. |
| The answer didn't come from the license server. | The owner ID or the name of the app is wrong, or another server answers at this address. |
| This version is out of date. | The version in the program isn't the one in the app's settings. They must be equal. |
| This license or account belongs to another computer. | The key was used on another machine. Select **Reset HWID** in the menu of its user. |
| This computer can't be identified. | The machine has no permanent identifier, as in many containers. Pass your own machine ID as \`${hwid}\`. |

## Next steps

This program asks once, when it starts. Keep the client open while your program runs, and check
\`${isValid}\` where it does its valuable work. The client then asks the server every 60 seconds, and a ban stops
a running program too.

- [Sessions, sleep, and offline time](../guides/sessions-sleep-offline.md)
- [A customer's life](../guides/customer-life.md): what your program receives, and when
- [Packaging](../guides/packaging.md): what to know before you ship
- [All calls and options of the ${name} client](../../${readme})
`
}

/** The pages by path in the repository. */
export const quickStartPages = (): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(languages) as (keyof InstallCommands)[]).map((key) => [`docs/start/quick-start-${key}.md`, page(key)]),
  )

/** Paths of the pages that differ from what this tool writes. */
export function outdatedQuickStarts(): string[] {
  return Object.entries(quickStartPages()).flatMap(([path, content]) => {
    const file = join(root, path)
    return existsSync(file) && readFileSync(file, 'utf8') === content ? [] : [path]
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, content] of Object.entries(quickStartPages())) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
