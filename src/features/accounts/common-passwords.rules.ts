/** Words that make a password easy to guess even with a capital and digits around them. */
const commonWords = new Set(
  `password passwort senha contrasena motdepasse passw0rd p@ssword p@ssw0rd pa55word pass qwerty qwertyuiop qwertz
  azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm letmein welcome bemvindo admin administrator root master login access
  iloveyou princess sunshine monkey dragon shadow superman batman football baseball soccer basketball hockey michael
  jennifer jordan daniel jessica ashley charlie thomas hunter buster ranger harley george maggie pepper ginger summer
  winter spring autumn january february monday secret trustno freedom whatever starwars computer internet samsung
  google facebook killer matrix mustang cheese cookie banana orange flower lovely hello abc abcd abcdef abcdefg
  abcdefgh test testing teste guest user default change changeme temp temporary signet license`.split(/\s+/),
)

const lookalikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

interface Names {
  username: string
  email: string
  /** Where it is known. */
  platformName?: string
}

/**
 * Passwords that are guessed first: common words, and the names of the account and the platform, padded with digits or
 * signs.
 */
export function isObviousPassword(password: string, { username, email, platformName = '' }: Names): boolean {
  const lower = password.toLowerCase()
  if (/^(.)\1*$/.test(lower)) return true
  // People pad a weak word with digits and signs at its ends.
  const word = lower.replace(/^[^a-z@$]+|(?<![^a-z@$])[^a-z@$]+$/g, '')
  const plain = [...word].map((letter) => lookalikes[letter] ?? letter).join('')
  const names = [username, email.split('@')[0] ?? '', platformName]
    .map((name) => name.trim().toLowerCase())
    .filter(({ length }) => length >= 3)
  // A name may itself begin or end with digits and signs.
  if (names.some((name) => lower.includes(name) && !/\p{L}/u.test(lower.replaceAll(name, '')))) return true
  return [lower, word, plain].some((form) => names.includes(form) || commonWords.has(form))
}
