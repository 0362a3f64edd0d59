import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A suite of its own: it needs conversations that are not in the repository.
    exclude: ['test/data/**'],
    testTimeout: 30_000,
    // A service that is started in a hook takes as long as one that is started in a test.
    hookTimeout: 30_000,
    // A state that is waited for comes when it comes; this is for failures only.
    expect: { poll: { timeout: 20_000 } },
    // Two cores are the smallest machine that runs this suite; more workers only fight over them.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
