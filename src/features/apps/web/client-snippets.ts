import { type CodeLine, codeLines } from './code-lines.ts'

export interface ProgramSettings {
  ownerId: string
  appName: string
  version: string
  hashCheck: boolean
  hashToCheck: string
  serverUrl: string
  /** SHA-256 of the server's certificate in hexadecimal, or `auto`. */
  sslFingerprint: string
  /** Called client obfuscation key in the settings. */
  sealingKey: string
  /** Called server obfuscation key in the settings. */
  verificationKey: string
}

const pythonWelcome = `ends = session.subscriptions[0].expires_at
print(f"Welcome, your license runs until {ends:%Y-%m-%d %H:%M} UTC." if ends else "Welcome, your license never ends.")`

/** A JSON string is also a string of Python, JavaScript, C# and C++. */
const quoted = (text: string): string => JSON.stringify(text)

/**
 * Programs that ask for a license key and print until when it runs, or why it is rejected: a sentence for customers, and
 * the code that their support asks for. Given a key, they sign in with it instead. Each is complete: pasted into an
 * empty file, it runs.
 */
export function pythonSnippet(settings: ProgramSettings, key?: string): CodeLine[] {
  const { ownerId, appName, version, hashCheck, serverUrl, sslFingerprint, sealingKey, verificationKey } = settings
  const code = `from signet_client import Client, SignetError

signet = Client(
    owner_id=${quoted(ownerId)},
    app_name=${quoted(appName)},
    version=${quoted(version)},
    hash_check=${hashCheck ? 'True' : 'False'},
    server_url=${quoted(serverUrl)},
    ssl_fingerprint=${quoted(sslFingerprint)},
    sealing_key=${quoted(sealingKey)},
    verification_key=${quoted(verificationKey)},
)
try:
    session = signet.license(${key === undefined ? 'input("Key: ")' : quoted(key)})
except SignetError as error:
    code = f"\\nSupport code: {error.request_id}" if error.request_id else ""
    raise SystemExit(error.customer_message + code)
${key === undefined ? pythonWelcome : 'print(f"Signed in as {session.username}.")'}`
  return codeLines(code, ['from', 'import', 'try', 'except', 'as', 'raise', 'if', 'else', 'True', 'False'])
}

const typescriptAsking = `const terminal = createInterface({ input: process.stdin, output: process.stdout })
`
const typescriptWelcome = `  const ends = session.user.subscriptions[0].expiresAt
  const until = ends?.toISOString().slice(0, 16).replace("T", " ")
  console.log(ends ? \`Welcome, your license runs until \${until} UTC.\` : "Welcome, your license never ends.")`

export function typescriptSnippet(settings: ProgramSettings, key?: string): CodeLine[] {
  const { ownerId, appName, version, hashCheck, serverUrl, sealingKey, verificationKey } = settings
  const asks = key === undefined
  const code = `${asks ? 'import { createInterface } from "node:readline/promises"\n' : ''}import { Client, SignetError } from "@signet/client"
import { hardwareId${hashCheck ? ', programHash' : ''} } from "@signet/client/node"

const signet = new Client({
  ownerId: ${quoted(ownerId)},
  appName: ${quoted(appName)},
  version: ${quoted(version)},
  serverUrl: ${quoted(serverUrl)},
  sealingKey: ${quoted(sealingKey)},
  verificationKey: ${quoted(verificationKey)},
  hwid: () => hardwareId(${quoted(ownerId)}),${hashCheck ? '\n  programHash: () => programHash(process.argv[1]),' : ''}
})
${asks ? typescriptAsking : ''}try {
  const session = await signet.license(${asks ? 'await terminal.question("Key: ")' : quoted(key)})
${asks ? typescriptWelcome : '  console.log(`Signed in as ${session.user.username}.`)'}
} catch (error) {
  if (!(error instanceof SignetError)) throw error
  console.error(error.customerMessage)
  if (error.requestId) console.error(\`Support code: \${error.requestId}\`)
  process.exitCode = 1
}
${asks ? 'terminal.close()\n' : ''}await signet.close()`
  const keywords = ['import', 'from', 'const', 'new', 'await', 'try', 'catch', 'if', 'throw', 'instanceof']
  return codeLines(code, keywords)
}

const csharpWelcome = `    var ends = session.Subscriptions[0].ExpiresAt;
    Console.WriteLine(ends is null
        ? "Welcome, your license never ends."
        : $"Welcome, your license runs until {ends:yyyy-MM-dd HH:mm} UTC.");`

export function csharpSnippet(settings: ProgramSettings, key?: string): CodeLine[] {
  const { ownerId, appName, version, hashCheck, serverUrl, sealingKey, verificationKey } = settings
  const code = `using System;
using Signet.Client;

using var signet = new SignetClient(new SignetOptions
{
    OwnerId = ${quoted(ownerId)},
    AppName = ${quoted(appName)},
    Version = ${quoted(version)},
    ServerUrl = ${quoted(serverUrl)},
    SealingKey = ${quoted(sealingKey)},
    VerificationKey = ${quoted(verificationKey)},${hashCheck ? '\n    ProgramHash = ProgramHash.RunningProgram,' : ''}
});
${key === undefined ? 'Console.Write("Key: ");\n' : ''}try
{
    var session = await signet.LicenseAsync(${key === undefined ? 'Console.ReadLine() ?? ""' : quoted(key)});
${key === undefined ? csharpWelcome : '    Console.WriteLine($"Signed in as {session.Username}.");'}
}
catch (SignetException error)
{
    Console.Error.WriteLine(error.CustomerMessage);
    if (error.RequestId is not null) Console.Error.WriteLine($"Support code: {error.RequestId}");
    return 1;
}
return 0;`
  return codeLines(code, ['using', 'var', 'new', 'try', 'catch', 'await', 'return', 'is', 'null'])
}

const cppAsking = `  std::string key;
  std::cout << "Key: " << std::flush;
  std::getline(std::cin, key);
`
const cppWelcome = `    const auto ends = session.subscriptions.at(0).expires_at;
    if (ends) std::cout << "Welcome, your license runs until " << signet::format_time(*ends) << " UTC.\\n";
    else std::cout << "Welcome, your license never ends.\\n";`

export function cppSnippet(settings: ProgramSettings, key?: string): CodeLine[] {
  const { ownerId, appName, version, hashCheck, serverUrl, sealingKey, verificationKey } = settings
  const code = `#include <iostream>
#include <signet/signet.hpp>

int main() {
  signet::Options options;
  options.owner_id = ${quoted(ownerId)};
  options.app_name = ${quoted(appName)};
  options.version = ${quoted(version)};
  options.server_url = ${quoted(serverUrl)};
  options.sealing_key = ${quoted(sealingKey)};
  options.verification_key = ${quoted(verificationKey)};${hashCheck ? '\n  options.hash_running_program = true;' : ''}
${key === undefined ? cppAsking : ''}  try {
    signet::Client client(options);
    const auto session = client.license(${key === undefined ? 'key' : quoted(key)});
${key === undefined ? cppWelcome : '    std::cout << "Signed in as " << session.username << ".\\n";'}
  } catch (const signet::Error& error) {
    std::cerr << error.customer_message() << "\\n";
    if (error.request_id()) std::cerr << "Support code: " << *error.request_id() << "\\n";
    return 1;
  }
}`
  return codeLines(code, ['#include', 'int', 'const', 'auto', 'try', 'catch', 'if', 'else', 'return'])
}

/**
 * Starts a session as a program does (docs/protocol.md, init). For inspecting the protocol: curl verifies no signature.
 */
export function curlSnippet(settings: ProgramSettings): CodeLine[] {
  const { ownerId, appName, version, hashCheck, hashToCheck, serverUrl } = settings
  const sent = JSON.stringify({ version, ...(hashCheck && { hash: hashToCheck }) })
  // A quote would end the string in the shell.
  const body = sent.replaceAll("'", "'\\''")
  const code = `curl -i ${serverUrl}/api/1.0/client/init \\
  -H 'Content-Type: application/json' \\
  -H 'X-Signet-App: ${ownerId}/${encodeURIComponent(appName)}' \\
  -H "X-Signet-Nonce: $(openssl rand -hex 16)" \\
  -H "X-Signet-Time: $(date +%s)000" \\
  -d '${body}'`
  return codeLines(code, ['curl'])
}
