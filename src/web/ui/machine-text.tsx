export interface MachineTextProps {
  value: string
  /** `groups` for keys: the parts between hyphens (or each 4 characters) alternate in brightness. */
  shape?: 'plain' | 'groups' | 'middle'
  className?: string
}

/** The first and the last characters, which are what people compare. */
export function truncateMiddle(value: string, keep = 8): string {
  return value.length <= keep * 2 + 1 ? value : `${value.slice(0, keep)}…${value.slice(-keep)}`
}

/** Text of a group and the separator before it. Joined, they give the value back. */
export function keyGroups(value: string): { text: string; start: number }[] {
  const parts = value.includes('-') ? value.match(/-?[^-]+|-+$/g) : value.match(/.{1,4}/gs)
  let start = 0
  return (parts ?? []).map((text) => {
    const group = { text, start }
    start += text.length
    return group
  })
}

/** Keys, ids, hashes and addresses: mono, and never translated. */
export function MachineText({ value, shape = 'plain', className = '' }: MachineTextProps) {
  if (shape === 'middle') {
    const short = truncateMiddle(value)
    return (
      <span translate="no" className={`machine ${className}`} title={short === value ? undefined : value}>
        {short}
      </span>
    )
  }
  return (
    <span translate="no" className={`machine ${shape === 'groups' ? 'whitespace-nowrap' : ''} ${className}`}>
      {shape === 'plain'
        ? value
        : keyGroups(value).map(({ text, start }, index) => (
            <span key={start} className={index % 2 === 0 ? 'text-text' : 'text-text-2'}>
              {text}
            </span>
          ))}
    </span>
  )
}
