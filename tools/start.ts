import { ensureDashboard } from './build-dashboard.ts'

await ensureDashboard()
await import('../src/main.ts')
