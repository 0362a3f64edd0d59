/** An array or an object. */
export const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null

/** An object that JSON.stringify writes member by member: no class of its own, no `toJSON`. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (!isContainer(value) || hasToJson(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** An array that JSON.stringify writes element by element. */
export const isPlainArray = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && !hasToJson(value)

/** The value has a `toJSON` method, which decides what is written in its place. */
export const hasToJson = (value: unknown): boolean =>
  isContainer(value) && typeof (value as { readonly toJSON?: unknown }).toJSON === 'function'

/** An own member that JSON.stringify sees, `__proto__` and `constructor` being names like any other. */
export const hasMember = (value: object, name: string): boolean =>
  Object.prototype.propertyIsEnumerable.call(value, name)
