import type { Catalogue } from '../catalogue.js';

export const de: Catalogue = {
  greeting: 'Guten Tag {name},',
  greeting_unnamed: 'Guten Tag,',
  link_hint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  footer: '{workspace} versendet diese E-Mail automatisch. Antworten werden nicht gelesen.',

  invitation_subject: '{inviter} lädt Sie zu {workspace} ein',
  invitation_body:
    '{inviter} lädt Sie zu {workspace} ein. Wählen Sie ein Passwort, um Ihr Konto mit der Adresse {email} zu eröffnen.',
  invitation_action: 'Einladung annehmen',
  invitation_expiry: 'Der Link funktioniert einmal, bis {until}.',
  invitation_ignore: 'Falls Sie keine Einladung erwarten, ignorieren Sie diese E-Mail.',

  reset_subject: 'Neues Passwort für {workspace} wählen',
  reset_body: 'Für das Konto {email} in {workspace} wurde ein neues Passwort angefordert.',
  reset_action: 'Neues Passwort wählen',
  reset_expiry: 'Der Link funktioniert einmal, bis {until}. Das neue Passwort beendet alle Sitzungen des Kontos.',
  reset_ignore: 'Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',

  change_old_subject: 'Änderung Ihrer E-Mail-Adresse in {workspace} bestätigen',
  change_old_body:
    'Die E-Mail-Adresse Ihres Kontos in {workspace} soll von {old} zu {new} geändert werden. Die Änderung erfolgt, sobald beide Adressen sie bestätigt haben.',
  change_old_warning:
    'Falls Sie das nicht angefordert haben, ziehen Sie die Änderung zurück und wählen Sie ein neues Passwort.',

  change_new_subject: 'E-Mail-Adresse für {workspace} bestätigen',
  change_new_body:
    'Ein Konto in {workspace} soll diese E-Mail-Adresse verwenden. Die Änderung erfolgt, sobald die bisherige Adresse und diese sie bestätigt haben.',
  change_new_warning:
    'Falls Sie das nicht angefordert haben, ziehen Sie die Änderung zurück oder ignorieren Sie diese E-Mail.',

  change_action: 'Änderung bestätigen',
  change_withdraw: 'Änderung zurückziehen',
  change_expiry: 'Die Links funktionieren einmal, bis {until}.',

  sign_in_subject: 'Neue Anmeldung bei {workspace}',
  sign_in_body:
    'Beim Konto {email} in {workspace} gab es eine Anmeldung von einem Gerät oder Ort, das oder der in den letzten {days} Tagen nicht verwendet wurde.',
  sign_in_time: 'Zeit: {time}',
  sign_in_device: 'Browser oder Programm: {device}',
  sign_in_address: 'Adresse: {address}',
  sign_in_ignore: 'Falls Sie das waren, ist nichts zu tun.',
  sign_in_warning: 'Falls Sie es nicht waren, wählen Sie ein neues Passwort: Das beendet alle anderen Sitzungen.',
};
