import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { readStored, writeStored } from '#web/browser/stored.ts'
import type { App } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { ClientCode } from './client-code.tsx'
import { type InstallCommands, installCommands } from './client-packages.ts'
import {
  cppSnippet,
  csharpSnippet,
  curlSnippet,
  type ProgramSettings,
  pythonSnippet,
  typescriptSnippet,
} from './client-snippets.ts'
import type { CodeLine } from './code-lines.ts'

const storedLanguage = 'client-language'

interface ClientTabsProps {
  settings: ProgramSettings
  /** A license key to put into the program, which then doesn't ask for one. */
  licenseKey?: string | undefined
}

/** A program with this app's values, and how to install its client, by language. */
export function ClientTabs({ settings, licenseKey }: ClientTabsProps) {
  const tabs = languageTabs(settings, licenseKey)
  const [language, setLanguage] = useState(() => readStored(storedLanguage))
  return (
    <Tabs
      label={t`Language`}
      value={tabs.find(({ value }) => value === language)?.value ?? 'python'}
      onChange={(value) => {
        setLanguage(value)
        writeStored(storedLanguage, value)
      }}
      tabs={tabs}
    />
  )
}

function languageTabs(settings: ProgramSettings, key: string | undefined): Tab[] {
  const commands = installCommands(settings.serverUrl)
  const tab = (
    value: keyof InstallCommands,
    label: string,
    title: string,
    lines: CodeLine[],
    install = t`Install the client`,
  ): Tab => ({
    value,
    label,
    content: (
      <>
        <ClientCode label={title} lines={lines} />
        <p className="mt-3 mb-1 text-meta text-text-2">{install}</p>
        <CodeBlock label={t`Install command`} copyLabel={t`Copy install command`} text={commands[value]} />
      </>
    ),
  })
  const csharpInstall = t`Install the client beside your project; skip the first line if you have one`
  const cppInstall = t`Add this to CMakeLists.txt; it needs libcurl and OpenSSL 3`
  return [
    tab('python', 'Python', t`Python client initialization`, pythonSnippet(settings, key)),
    tab('typescript', 'TypeScript', t`TypeScript client`, typescriptSnippet(settings, key)),
    tab('csharp', 'C#', t`C# client`, csharpSnippet(settings, key), csharpInstall),
    tab('cpp', 'C++', t`C++ client`, cppSnippet(settings, key), cppInstall),
    // curl signs in with no key: it only shows how a session starts.
    ...(key === undefined ? [curlTab(settings)] : []),
  ]
}

const curlTab = (settings: ProgramSettings): Tab => ({
  value: 'curl',
  label: 'curl',
  content: (
    <>
      <ClientCode label={t`A program's first call`} lines={curlSnippet(settings)} />
      <p className="mt-3 text-meta text-text-2">
        {t`Starts a session and shows the signed response. curl does not verify the signature; the clients do.`}
      </p>
    </>
  ),
})

/** Fingerprint of the certificate to pin; 'auto' if the server does not know it. */
function useSslFingerprint(): string {
  const { data } = useQuery({
    queryKey: accountKey('ssl-sha256'),
    queryFn: async ({ signal }) => (await call('GET /ssl-sha256', { signal })).sha256 ?? 'auto',
    retry: false,
    staleTime: Infinity,
  })
  return data ?? 'auto'
}

/** The saved settings, which the server checks programs against. */
export function useProgramSettings(app: App): ProgramSettings {
  const account = useAccount()
  const sslFingerprint = useSslFingerprint()
  const { appName, version, settings } = app
  return {
    ownerId: account.ownerid,
    appName,
    version,
    hashCheck: settings.hashCheck,
    hashToCheck: settings.hashToCheck,
    serverUrl: location.origin,
    sslFingerprint,
    sealingKey: settings.clientObfuscationKey,
    verificationKey: settings.serverObfuscationKey,
  }
}
