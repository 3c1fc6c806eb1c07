import { keyGroups, truncateMiddle } from './key-groups.ts'

export interface MachineTextProps {
  value: string
  /** `groups` for keys: the parts between hyphens (or every 4 characters) alternate in brightness. */
  shape?: 'plain' | 'groups' | 'middle'
  className?: string
}

/** Keys, IDs, hashes and addresses: monospaced and never translated. */
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
