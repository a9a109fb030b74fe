import type { Catalogue } from '../catalogue.js';

export const it: Catalogue = {
  greeting: 'Buongiorno {name},',
  greeting_unnamed: 'Buongiorno,',
  link_hint: 'Se il pulsante non funziona, apra questo indirizzo:',
  footer: '{workspace} invia questo messaggio automaticamente. Le risposte non vengono lette.',

  invitation_subject: '{inviter} La invita in {workspace}',
  invitation_body:
    '{inviter} La invita in {workspace}. Scelga una password per aprire il Suo account con l’indirizzo {email}.',
  invitation_action: 'Accetta l’invito',
  invitation_expiry: 'Il link funziona una sola volta, fino al {until}.',
  invitation_ignore: 'Se non aspetta alcun invito, ignori questo messaggio.',

  reset_subject: 'Scegliere una nuova password per {workspace}',
  reset_body: 'È stata richiesta una nuova password per l’account {email} in {workspace}.',
  reset_action: 'Scegli una nuova password',
  reset_expiry:
    'Il link funziona una sola volta, fino al {until}. La nuova password chiude tutte le sessioni dell’account.',
  reset_ignore: 'Se non l’ha richiesta, ignori questo messaggio: la Sua password resta invariata.',

  change_old_subject: 'Confermare la modifica del Suo indirizzo e-mail in {workspace}',
  change_old_body:
    'L’indirizzo e-mail del Suo account in {workspace} sta per cambiare da {old} a {new}. La modifica avviene quando entrambi gli indirizzi l’hanno confermata.',
  change_old_warning: 'Se non l’ha richiesta, annulli la modifica e scelga una nuova password.',

  change_new_subject: 'Confermare il Suo indirizzo e-mail per {workspace}',
  change_new_body:
    'Un account in {workspace} sta per usare questo indirizzo e-mail. La modifica avviene quando l’indirizzo precedente e questo l’hanno confermata.',
  change_new_warning: 'Se non l’ha richiesta, annulli la modifica o ignori questo messaggio.',

  change_action: 'Conferma la modifica',
  change_withdraw: 'Annulla la modifica',
  change_expiry: 'I link funzionano una sola volta, fino al {until}.',

  sign_in_subject: 'Nuovo accesso a {workspace}',
  sign_in_body:
    'È stato effettuato un accesso all’account {email} in {workspace} da un dispositivo o un luogo non utilizzato negli ultimi {days} giorni.',
  sign_in_time: 'Ora: {time}',
  sign_in_device: 'Browser o programma: {device}',
  sign_in_address: 'Indirizzo: {address}',
  sign_in_ignore: 'Se è stato Lei, non deve fare nulla.',
  sign_in_warning: 'Se non è stato Lei, scelga una nuova password: questo chiude tutte le altre sessioni.',
};
