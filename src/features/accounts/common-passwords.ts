import { isObviousPassword } from './common-passwords.rules.ts'

/** No shorter password gets this far. */
const minListedLength = 8

let listed: Promise<ReadonlySet<string>> | undefined

/** The 49,000 passwords that leak most often, in lower case. Read for the first password that is chosen: few starts need it. */
const listedPasswords = (): Promise<ReadonlySet<string>> =>
  (listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= minListedLength)),
  ))

/** Obvious, or listed (R-AUTH-09). The list is the server's alone: it is too long for a page. */
export const isEasyToGuess = async (
  password: string,
  names: { username: string; email: string; platformName: string },
): Promise<boolean> => isObviousPassword(password, names) || (await listedPasswords()).has(password.toLowerCase())
