export { doctorCommand } from './doctor.ts';
export { gateCommand } from './gate.ts';
export { ledgerCommand } from './ledger.ts';
export { proxyCommand } from './proxy.ts';
