import type { ReactNode } from 'react'
import type { App } from '../session/session.ts'
import { useSelectedApp } from '../session/use-account.ts'
import { NoAppSelected } from '../ui/no-app-selected.tsx'

interface AppPageProps {
  title: string
  /** The app data shown here, named when no app is selected. */
  withoutApp: string
  children: (app: App) => ReactNode
}

export function AppPage({ title, withoutApp, children }: AppPageProps) {
  const app = useSelectedApp()
  return app ? children(app) : <NoAppSelected title={title} text={withoutApp} />
}
