const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** The same keys on every visit: decoration should not move because somebody came back. */
function sampleGroups(count: number): string[] {
  let state = 7
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return alphabet[Math.floor(state / 65536) % alphabet.length] ?? 'A'
  }
  return Array.from({ length: count }, () => next() + next() + next() + next())
}

const columns = 8
const groups = sampleGroups(columns * 22)

// A few groups light up in turn, as keys do when somebody redeems them. Prime steps keep it from looking like a row.
const lit = ['key-lit-1', 'key-lit-2', 'key-lit-3', 'key-lit-4', 'key-lit-5']

const glowOf = (index: number) => (index % 29 === 11 ? lit[Math.floor(index / 29) % lit.length] : '')

export function KeyGrid() {
  return (
    <div aria-hidden="true" className="relative overflow-hidden border-l border-line bg-surface-1 max-lg:hidden">
      <div className="key-grid absolute inset-0 grid select-none grid-cols-8 content-center gap-x-6 gap-y-4 px-10">
        {groups.map((group, index) => (
          // As generated content the letters are no text: nothing to read out, select or search for.
          <span key={index} data-key={group} className={`machine text-center ${glowOf(index)}`} />
        ))}
      </div>
    </div>
  )
}
