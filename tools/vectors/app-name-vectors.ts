const ownerId = 'Ab3dE6gH1j'

const names: [name: string, appName: string][] = [
  ['plain', 'MyApp'],
  ['a space', 'My App'],
  ['characters that stay as they are', "-_.!~*'()"],
  ['all other characters of ASCII that can be seen', '"#$%&+,/:;<=>?@[\\]^`{|}'],
  ['quotes', `"My" 'App'`],
  ['a plus sign', 'a+b'],
  ['a slash', 'a/b'],
  ['a backslash', 'a\\b'],
  ['dots', '../..'],
  ['a percent sign', '100%'],
  ['text that looks encoded', '%20%41'],
  ['a question mark and a number sign', 'a?b#c'],
  ['a line end', 'a\r\nX-Signet-Nonce: x'],
  ['a zero byte', 'a\0b'],
  ['a delete character', 'a\u007Fb'],
  ['spaces at both ends', ' app '],
  ['accents', 'Ünïcödé'],
  ['composed', '\u00E9'],
  ['decomposed', 'e\u0301'],
  ['Cyrillic', 'Приложение'],
  ['Chinese', '应用程序'],
  ['right to left', 'تطبيق'],
  ['an emoji', '🦭'],
  ['emoji joined to one', '👩‍💻'],
  ['a flag', '🇧🇷'],
  ['invisible characters', 'a\u200Bb\u00ADc\uFEFF'],
  ['the last character of the basic plane', '\uFFFF'],
  ['the last character of Unicode', '\u{10FFFF}'],
  ['the first character of two, three, and four bytes', '\u0080\u0800\u{10000}'],
]

/** As JavaScript's `encodeURIComponent`, which is the definition. */
export function appNameVectors() {
  return {
    about:
      'X-Signet-App for an app of ownerId. A client must send exactly header. rejected: texts that can not be UTF-8, ' +
      'given as UTF-16 code units, and the empty text; a client whose texts can hold them must reject them with ' +
      'INVALID_CONFIGURATION when it is made.',
    ownerId,
    cases: names.map(([name, appName]) => ({ name, appName, header: `${ownerId}/${encodeURIComponent(appName)}` })),
    rejected: [
      { name: 'the empty text', utf16: [] },
      { name: 'a high surrogate alone', utf16: [0x61, 0xd83e, 0x62] },
      { name: 'a low surrogate alone', utf16: [0x61, 0xddad] },
      { name: 'a high surrogate at the end', utf16: [0x61, 0xd83e] },
      { name: 'a pair in the wrong order', utf16: [0xddad, 0xd83e] },
    ],
  }
}
