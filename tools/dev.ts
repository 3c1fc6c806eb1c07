import { type ChildProcess, spawn } from 'node:child_process'

/** `npm run dev`: the server with demo data, restarted on changes, and the dashboard with hot reload. */
const environment = { DATA_DIR: './data/dev', PORT: '8080', PUBLIC_URL: 'http://localhost:5173', ...process.env }
const children: ChildProcess[] = []

function run(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: environment })
  children.push(child)
  return child
}

function stopAll(): void {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stopAll)
process.on('SIGTERM', stopAll)

run('tools/seed-demo.ts', '--if-empty').once('exit', (code) => {
  if (code !== 0) process.exit(code ?? 1)
  run('--watch', 'src/main.ts')
  run('node_modules/vite/bin/vite.js', '--port', '5173')
})
