/** Equals the version of package.json (a test compares them), which the built service does not ship beside it. */
export const VERSION = '0.1.0'
