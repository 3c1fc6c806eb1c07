import type { Environment } from './environment.ts'
import { Failure } from './failures.ts'
import { defaultProfile, type Profile, readProfiles } from './profiles.ts'
import { serverUrl } from './server-url.ts'

interface Choice {
  url: string | undefined
  profile: string | undefined
  allowHttp: boolean
}

export interface Account extends Profile {
  /** Undefined for a key from the environment. */
  profile: string | undefined
}

/** Removes spaces and line ends that copying adds. Any other text can't be a header, and no message repeats it. */
export function checkedKey(text: string): string {
  const key = text.trim()
  if (key === '') throw new Failure('notSignedIn', 'The seller key is empty')
  if (!/^[\x21-\x7e]{1,300}$/.test(key)) throw new Failure('notSignedIn', "This can't be a seller key: lk_live_…")
  return key
}

/**
 * The server and the key of a command: `--profile`, else `SIGNET_KEY` with `SIGNET_URL`, else the profile `default`. A
 * stored key is only sent to the server that it was stored for, and a key of the environment to no stored server.
 */
export function accountOf(variables: Environment['variables'], { url, profile, allowHttp }: Choice): Account {
  const environmentKey = variables['SIGNET_KEY']
  const wanted = url ?? (profile === undefined ? variables['SIGNET_URL'] : undefined)
  if (environmentKey && profile === undefined) {
    if (!wanted) throw new Failure('notSignedIn', 'SIGNET_KEY is set, but SIGNET_URL is not: which server is it for?')
    return { url: serverUrl(wanted, { allowHttp }), key: checkedKey(environmentKey), profile: undefined }
  }
  const name = profile ?? defaultProfile
  const stored = readProfiles(variables).get(name)
  if (!stored) {
    const more = name === defaultProfile ? '' : ` --profile ${name}`
    throw new Failure('notSignedIn', `Not signed in. Run: signet login${more}\nOr set SIGNET_URL and SIGNET_KEY`)
  }
  const storedUrl = serverUrl(stored.url, { allowHttp })
  if (wanted && serverUrl(wanted, { allowHttp }) !== storedUrl)
    throw new Failure(
      'notSignedIn',
      `The profile ${name} is for ${storedUrl}. Sign in to another server with: signet login`,
    )
  return { url: storedUrl, key: checkedKey(stored.key), profile: name }
}
