import { spawnSync } from 'node:child_process'

/** Whether there is a `promtool` to run; it comes with Debian's package `prometheus`. */
export function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0
}

export interface PromtoolResult {
  readonly status: number | null
  readonly output: string
}

export function runPromtool(...commandLine: readonly string[]): PromtoolResult {
  const { status, stdout, stderr } = spawnSync('promtool', commandLine, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
