import { isObviousPassword } from './common-passwords.rules.ts'

/** Shorter passwords are rejected earlier. */
const minListedLength = 8

let listed: Promise<ReadonlySet<string>> | undefined

/** The 49,000 most leaked passwords, in lower case. Loaded on first use, because few starts need it. */
const listedPasswords = (): Promise<ReadonlySet<string>> =>
  (listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= minListedLength)),
  ))

/** Obvious or leaked. The list is only on the server: it is too long for a page. */
export const isEasyToGuess = async (
  password: string,
  names: { username: string; email: string; platformName: string },
): Promise<boolean> => isObviousPassword(password, names) || (await listedPasswords()).has(password.toLowerCase())
