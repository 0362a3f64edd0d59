import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { GATEWAY_CONTRACTS } from '../../../src/contract/gateways/names.ts'

const contractsOf = (value: string) =>
  loadConfig({ PRECIS_GATEWAY_CONTRACTS: value }, Type.Object({})).config.server.gatewayContracts

describe('PRECIS_GATEWAY_CONTRACTS', () => {
  it('is all of them unless it is set', () => {
    expect(contractsOf('')).toEqual(GATEWAY_CONTRACTS)
  })

  it('is those that it names, each once, or none', () => {
    expect(contractsOf(' portkey,headroom , portkey')).toEqual(['headroom', 'portkey'])
    expect(contractsOf('none')).toEqual([])
  })

  it.each(['bifrost', 'headroom,none', 'headroom,,kong', 'Headroom'])('refuses %s', (value) => {
    expect(() => contractsOf(value)).toThrow(
      'PRECIS_GATEWAY_CONTRACTS must be none, or a comma separated list of headroom, portkey',
    )
  })
})
