import { useQuery } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import { accountKey } from '#web/query-keys.ts'
import type { App } from '#web/session.ts'
import { useAccount } from '#web/use-account.ts'
import type { ProgramSettings } from './client-snippets.ts'

/** The certificate to pin; 'auto' when the server can't name one (part 1 §7 Apps). */
function useSslFingerprint(): string {
  const { data } = useQuery({
    queryKey: accountKey('ssl-sha256'),
    queryFn: async ({ signal }) => (await call('GET /ssl-sha256', { signal })).sha256 ?? 'auto',
    retry: false,
    staleTime: Infinity,
  })
  return data ?? 'auto'
}

/** What a program of this app must be told: the saved settings, which are those it will be checked against. */
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
    clientObfuscationKey: settings.clientObfuscationKey,
    serverObfuscationKey: settings.serverObfuscationKey,
  }
}
