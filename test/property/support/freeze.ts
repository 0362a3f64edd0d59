/** Freezes a JSON value all the way down, own members named `__proto__` included. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const { value: member } of Object.values(Object.getOwnPropertyDescriptors(value))) {
    deepFreeze(member)
  }
  return Object.freeze(value)
}
