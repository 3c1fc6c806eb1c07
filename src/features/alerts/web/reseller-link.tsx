import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { MachineText } from '#web/ui/machine-text.tsx'

const linkLook = 'rounded-sm underline underline-offset-2'

export const plainName = (value: string) => <MachineText value={value} className="break-all" />

export const resellerLink = (username: string) => (
  <Link to={paths.reseller(username)} className={linkLook}>
    {plainName(username)}
  </Link>
)
