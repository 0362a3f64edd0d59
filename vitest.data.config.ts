import { defineConfig } from 'vitest/config'

/** Tests on real conversations, which are not in the repository: `PRECIS_DATA=<folder> npm run test:data`. */
export default defineConfig({
  test: {
    include: ['test/data/**/*.test.ts'],
    testTimeout: 600_000,
    maxWorkers: 2,
  },
})
