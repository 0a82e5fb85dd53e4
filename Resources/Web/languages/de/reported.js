// @ts-check
/** What the server reports, in German, by the names of its sentences (docs/live-protocol.md). */

export const texts = {
  "error.token":
    "Diese Seite braucht den Schlüssel des Servers: öffne die Adresse, die Kinema beim Start ausgegeben hat.",
  "error.internal": "Der Server konnte nicht antworten: versuche es noch einmal.",
  "error.tooManyRequests": "Zu viele Anfragen: warte einen Moment.",
  "error.tooManyConnections": "Zu viele Verbindungen: versuche es gleich noch einmal.",
  "error.tooMuchSent": "Es wird zu viel auf einmal gesendet: versuche es gleich noch einmal.",
  "error.tooLarge": "Die Anfrage ist zu groß: höchstens {limit} Bytes werden angenommen.",
  "error.busy": "Auf dem Server laufen so viele Sitzungen wie möglich.",
  "error.serverEnds": "Der Server wird beendet.",
  "error.serverFull":
    "Der Server ist ausgelastet (Sitzungen: {sessions}), und viele warten: versuche es später noch einmal.",
  "error.cannotBegin": "Die Sitzung kann nicht beginnen: versuche es später noch einmal.",
  "error.resumedElsewhere": "Die Sitzung wurde von einer anderen Verbindung fortgesetzt.",
  "error.recordingForbidden": "Dieser Server bewahrt keine Videos auf: starte ihn so, dass Aufnahmen erlaubt sind.",
  "error.noLiveModel": "Es gibt kein Modell „{id}“: wähle ein anderes.",
  "error.noSource": "Es gibt keine Quelle „{id}“: wähle eine andere.",
  "error.noEvent": "Im Protokoll gibt es kein solches Ereignis oder Bild: „{id}“.",
  "error.searching": "Kameras werden gerade gesucht: versuche es in einigen Sekunden noch einmal.",
  "error.noPicture": "{source} hat noch kein Bild: versuche es gleich noch einmal.",
  "error.notInView": "Person {person} ist nicht im Bild: wähle eine, die es ist.",
  "error.challengeSets": "Eine Challenge mit {count} Sätzen kann nicht beginnen: es sind höchstens {limit}.",
  "error.challengeLabel": "Das Modell kennt „{label}“ nicht: wähle unter {labels}.",
  "error.badName": "Der Name ist nicht möglich: gib 1 bis {limit} Zeichen in einer Zeile an.",
  "error.tooManyProfiles": "Es gibt {limit} Profile: lösche erst eines.",
  "error.noProfile": "Es gibt kein Profil {id}: vielleicht wurde es gelöscht; wähle ein anderes.",
  "error.profileExists": "Es gibt schon ein Profil „{name}“: nimm einen anderen Namen.",
  "error.tooManyRoutines": "Es gibt {limit} Pläne: lösche erst einen.",
  "error.routineExists": "Es gibt schon einen Plan „{name}“: speichere noch einmal, um ihn zu ersetzen, oder nimm einen anderen Namen.",
  "error.noRoutine": "Es gibt keinen Plan „{name}“: vielleicht wurde er gelöscht.",
  "error.routineNotSaved": "Der Plan kann nicht gespeichert werden: {reason}",
  "error.badRoutines": "{file} ist nicht lesbar: repariere die Datei oder verschiebe sie.",
  "error.tooManyModels": "Es gibt {limit} hochgeladene Modelle: lösche erst eines.",
  "error.unusableModel": "„{file}“ ist als Modell nicht brauchbar ({reason}).",
  "error.largeModel": "„{file}“ hat {megabytes} MB: höchstens {limit} werden angenommen.",
  "error.noSession": "Es gibt keine Sitzung {id} im Verlauf: vielleicht wurde sie gelöscht.",
  "error.noRecording": "Von Sitzung {id} gibt es keine Aufnahme.",
  "error.notDeleted": "{file} kann nicht gelöscht werden ({reason}): prüfe die Rechte des Ordners.",
  "error.historyFull":
    "Der Verlauf {file} hat keinen Platz mehr ({reason}): schaffe Platz auf der Festplatte; gespeicherte Sitzungen bleiben erhalten.",
  "error.historyReadOnly": "Der Verlauf {file} kann nicht geschrieben werden ({reason}): prüfe die Rechte des Ordners.",
  "error.historyInUse":
    "Ein anderes Programm benutzt den Verlauf {file} ({reason}): beende es und versuche es noch einmal.",
  "error.historyDamaged":
    "Der Verlauf {file} ist beschädigt ({reason}): starte Kinema neu; er wird zur Seite gelegt und ein neuer angelegt.",
  "error.historyUnreadable":
    "Der Verlauf {file} kann nicht gelesen oder geschrieben werden ({reason}): prüfe die Festplatte; gespeicherte Sitzungen bleiben erhalten.",
  "error.historyReplaced":
    "Der Verlauf {file} wurde gelöscht oder ersetzt, während er benutzt wird: bis zum Neustart von Kinema wird nichts gespeichert.",
  "error.sourceConnects": "{source}: Verbindung wird aufgebaut.",
  "error.sourceReconnects": "{source}: Verbindung wird erneut aufgebaut.",
  "error.sourceLive": "{source} ist live.",
  "error.sourceSilent": "{source} ist offen, hat aber seit einer Weile kein Bild gesendet.",
  "error.sourceEnded": "{source} ist zu Ende und wird neu geöffnet.",
  "error.sourceStopped": "{source} hat aufgehört ({reason}): prüfe, ob die Quelle läuft{then}.",
  "error.sourceFailed": "{source} ist ausgefallen ({reason}) und wird neu geöffnet.",
  "error.sourceSentNothing": "{source} hat lange kein Bild gesendet: prüfe, ob die Quelle läuft{then}.",
  "error.sourceWithoutPicture": "{source} endete vor dem ersten Bild: prüfe, ob die Quelle läuft{then}.",
  "error.sourceTimedOut": "{source} hat nicht rechtzeitig geantwortet: prüfe, ob die Quelle läuft{then}.",
  "error.cameraMissing": "{source} ist nicht da: schließe die Kamera an oder wähle eine andere{then}.",
  "error.sourceMissing": "{source} ist nicht da: prüfe die Adresse{then}.",
  "error.sourceInUse": "{source} wird von einem anderen Programm benutzt: schließe es{then}.",
  "error.sourceForbidden": "{source} darf nicht geöffnet werden: prüfe die Rechte{then}.",
  "error.sourceWithoutVideo": "{source} sendet kein Video: prüfe, was gesendet wird{then}.",
  "error.sourceUndecodable":
    "{source} sendet Video, das das installierte FFmpeg nicht dekodieren kann: stelle die Quelle auf H.264{then}.",
  "error.sourceNotVideo": "{source} sendet Daten, die kein Video sind: prüfe, was gesendet wird{then}.",
  "error.sourceUnopened": "{source} kann nicht geöffnet werden ({reason}): prüfe, ob die Quelle läuft{then}.",
  "then.retry": "; es wird weiter versucht",
  "error.fileGone": "Es gibt keine Datei {file}: prüfe den Pfad.",
  "error.unreadableFile": "{file} ist nicht lesbar: prüfe, ob die Datei da ist, und ihre Rechte.",
  "error.brokenFile": "{file} ist nicht lesbar ({reason}): kopiere die Datei noch einmal und prüfe ihre Rechte.",
  "error.noFolder": "Es gibt keinen Ordner {folder}: prüfe den Pfad.",
  "error.unreadableFolder": "Der Ordner {folder} ist nicht lesbar: prüfe seine Rechte.",
  "error.diskFull": "{file} kann nicht geschrieben werden ({reason}): schaffe Platz oder schreibe anderswohin.",
  "error.folderGone": "{file} kann nicht geschrieben werden ({reason}): lege erst den Ordner {folder} an.",
  "error.readOnly": "{file} kann nicht geschrieben werden: prüfe die Rechte des Ordners oder schreibe anderswohin.",
  "error.unwritable": "{file} kann nicht geschrieben werden ({reason}): prüfe {folder} oder schreibe anderswohin.",
  "error.noMemory": "Der Arbeitsspeicher reicht nicht: schließe andere Programme.",
  "error.emptyFile": "{file} ist leer: kopiere die Datei oder nimm sie noch einmal auf.",
  "error.slowFile":
    "{file} braucht zu lange zum Öffnen und ist wohl beschädigt: kopiere oder konvertiere die Datei noch einmal.",
  "error.cutOffFile":
    "{file} ist abgeschnitten oder beschädigt, der Index (das moov-Atom) fehlt, wie nach einer unterbrochenen Aufnahme oder Kopie: kopiere die Datei oder nimm sie noch einmal auf.",
  "error.changedFile":
    "{file} wurde beim Lesen geändert oder abgeschnitten: warte, bis die Datei fertig geschrieben ist, und starte noch einmal.",
  "error.notVideo":
    "{file} ist beschädigt oder kein Video oder Bild, das lesbar ist: nimm eine Datei in mp4, mov, mkv, webm, avi oder gif, oder ein Bild in JPEG oder PNG.",
  "error.stillPicture": "{file} ist ein Standbild, kein Video: nimm eine Datei in mp4, mov, mkv, webm, avi oder gif.",
  "error.onlySound": "{file} enthält Ton, aber kein Video: nimm eine Datei mit Videospur.",
  "error.noVideoTrack":
    "{file} hat keine Videospur, oder sie ist abgeschnitten oder beschädigt: kopiere die Datei oder nimm sie noch einmal auf.",
  "error.nothingDecoded":
    "{file} enthält kein Bild, das sich dekodieren lässt, ist also beschädigt oder abgeschnitten: kopiere die Datei oder nimm sie noch einmal auf.",
  "error.largePictures":
    "Die Bilder von {file} haben {width} × {height} Pixel, mehr als {side} je Seite, {pixels} insgesamt und 512 MB im Decoder erlauben: verkleinere sie zuerst.",
  "error.noDecoder":
    "Das Video von {file} ist als {codec} kodiert, was nicht dekodiert wird: konvertiere es zuerst in H.264.",
  "error.damagedVideo":
    "Die Videospur von {file} lässt sich nicht dekodieren ({reason}) und ist wohl beschädigt: kopiere die Datei oder nimm sie noch einmal auf.",
  "error.decoderDied":
    "{file} ist nicht lesbar, der Prozess, der es versuchte, endete ({reason}): die Datei ist beschädigt oder soll Schaden anrichten.",
  "error.noProcess":
    "Es kann kein Prozess gestartet werden ({reason}): beende andere Arbeit und versuche es noch einmal.",
  "error.damagedParts": "{file} ist beschädigt oder abgeschnitten: Teile davon fehlen.",
  "error.noFrames": "{file} hat keine Bilder.",
  "error.otherJoints": "{file} hat andere Gelenke als der Rest: Hände und Körper werden getrennt trainiert.",
  "error.fullPoses": "{file} kann nicht geschrieben werden: schaffe dort Platz und prüfe die Rechte.",
  "error.partMissing": "{part} fehlt: installiere Kinema neu oder führe `kinema doctor` aus.",
  "error.unusablePart": "{part} ist nicht brauchbar: installiere Kinema neu oder führe `kinema doctor` aus.",
  "error.inferenceFailed": "Das Netz konnte nicht ausgeführt werden ({reason}).",
  "error.noExamples": "Es gibt keine Clips zum Lernen.",
  "error.oneClass": "Alle Clips haben das Label „{label}“: nimm mindestens zwei Labels, etwa eines für alles andere.",
  "error.noWindow":
    "In keinem Clip von „{label}“ ist in genug Bildern eines Fensters von {seconds} s eine Person: nimm längere Clips oder ein kürzeres Fenster.",
  "error.unknownLabel":
    "{file} hat das Label „{label}“, das kein Trainingsclip hat: berichtige es oder füge solche Trainingsclips hinzu.",
  "error.unknownLabels": "Dem Modell fehlen Labels der Clips: {labels}.",
  "error.trainingFailed": "Das Training kann nicht weitergehen ({reason}): senke die Lernrate.",
  "error.diverged":
    "Das Training ist in Iteration {iteration} divergiert: wähle einen anderen Startwert oder ein anderes Netz.",
  "error.otherTraining": "In {folder} läuft ein anderes Training: warte darauf oder wähle einen anderen Ordner.",
  "error.nothingToEvaluate": "Kein Clip hat ein Bild zum Auswerten.",
  "error.noNegativeClass":
    "Keine Klasse steht für „keine der Aktionen“, also wird das Modell bei allem eine Aktion melden: füge Clips mit dem Label „other“ hinzu, in denen Personen stehen, gehen und anderes tun.",
  "error.smallClass":
    "„{label}“ hat {count} {count:Video|Videos} zum Lernen: nimm mindestens {least} von verschiedenen Personen; Apple empfiehlt 50.",
  "error.imbalance":
    "Von „{most}“ gibt es {seconds} s, von „{least}“ nur {leastSeconds} s: füge dort hinzu oder nimm hier weg.",
  "error.likeLabels": "{labels} sind verschiedene Klassen: nimm einen Namen, wenn sie dasselbe sind.",
  "error.unmatchedClass":
    "„{label}“ gibt es im Bereich {set}, aber nicht im Training, und wird also nie erkannt: prüfe das Label.",
  "error.leak":
    "{file} ({set}) ist dasselbe Video wie {other} ({otherSet}): entferne eines, sonst wird das Modell an seinen Trainingsclips gemessen.",
  "error.duplicate": "{file} ist dasselbe Video wie {other}: entferne eines.",
  "error.doubleLabel":
    "{file} mit dem Label „{label}“ ist dasselbe Video wie {other} mit dem Label „{otherLabel}“: das Modell würde beides lernen; entferne das falsche.",
  "error.overlap": "{place}, „{label}“, überschneidet sich mit {other}, „{otherLabel}“: berichtige die Zeiten.",
  "error.startsAfterVideo":
    "{place} beginnt bei {start} s, nach dem Ende des Videos bei {length} s: berichtige die Zeiten oder den Dateinamen.",
  "error.endsAfterVideo":
    "{place} endet bei {end} s, nach dem Ende des Videos bei {length} s, wo es abgeschnitten wird: prüfe die Zeiten.",
  "error.noFrame": "{place} hat kein Bild des Videos und wird ausgelassen.",
  "error.shortClip": "{file} ist kürzer ({seconds} s) als das Fenster des Modells von {window} s.",
  "error.shortSegments":
    "{count} von {total} Abschnitten von {file} sind kürzer als das Fenster des Modells von {window} s; der erste beginnt bei {start} s.",
  "error.nobodyInClip":
    "In {file} ist in kaum einem Bild eine Person: entferne die Datei oder nimm sie noch einmal auf.",
  "error.nobodyInSegments":
    "In {count} von {total} Abschnitten von {file} ist keine Person; der erste beginnt bei {start} s.",
  "error.cutOff": "In {file} ist der Körper in {share} der Bilder teilweise außerhalb: filme aus größerer Entfernung.",
  "error.severalPeople":
    "{place} zeigt in {share} der Bilder mehrere ähnlich große Personen, von denen eine genommen wird: schneide das Video auf eine Person zu, wenn es die falsche ist.",
  "error.lowFrameRate":
    "{file} hat {rate} Bilder je Sekunde, weniger als die {wanted} des Modells: nimm mit einer höheren Rate auf oder trainiere mit einer niedrigeren.",
  "error.movingCamera":
    "{file} wurde mit bewegter Kamera aufgenommen ({percent} % der Breite je Sekunde): nimm ein Stativ.",
  "error.badLabel": "Das Label von {file} ist nicht möglich: gib 1 bis {limit} Bytes in einer Zeile an.",
  "error.badPerson": "Die Person von {file} ist nicht möglich: gib 1 bis {limit} Bytes in einer Zeile an.",
  "error.badTimes": "Die Zeiten von {file} sind nicht möglich: gib Sekunden ab dem Anfang an, das Ende nach dem Start.",
  "error.tooManyItems": "Ein Projekt hat höchstens {limit} Clips: entferne erst welche.",
  "error.noProject": "Es gibt kein Projekt „{id}“.",
  "error.noItem": "Den Clip „{id}“ gibt es nicht mehr.",
  "error.noMedium": "Es gibt kein Video und keine Posendatei „{file}“, die benutzt werden darf.",
  "error.noUpload": "Das Hochladen „{id}“ gibt es nicht mehr: beginne es neu.",
  "error.noRun": "Es gibt keinen Lauf „{number}“.",
  "error.noSnapshot": "Lauf {number} hat keinen Schnappschuss von Iteration {iteration}.",
  "error.noModel": "Es gibt kein Modell „{id}“ als Ausgangspunkt.",
  "error.projectExists": "In {folder} ist schon ein Projekt.",
  "error.mediumInUse": "{file} wird von {items} {items:Clip|Clips} benutzt: entferne {items:ihn|sie} zuerst.",
  "error.nothingToTrain": "Es gibt keine Clips zum Trainieren: füge welche hinzu.",
  "error.wrongState": "Lauf {number}: {state}. So kann er nicht {order} werden.",
  "error.noSnapshotNow":
    "Lauf {number}: {state}. Ein Schnappschuss entsteht während des Trainings oder in einer Pause.",
  "error.noEpochYet": "Von Lauf {number} ist noch keine Iteration fertig: warte einen Moment.",
  "error.tooManySnapshots": "Lauf {number} hat {limit} Schnappschüsse: lösche erst einen.",
  "error.runUnderWay": "Lauf {number}: {state}. Warte auf sein Ende.",
  "error.noEvaluation": "Lauf {number} hat in diesem Bereich ({well}) keine Clips.",
  "error.noRunModel": "Der Lauf hat noch kein Modell: warte auf sein Ende oder mache einen Schnappschuss.",
  "error.otherServer": "Ein anderer Server trainiert dieses Projekt: benutze ihn oder beende ihn zuerst.",
  "error.readOnlyProject": "Ein anderer Server hat das Projekt in {folder} geöffnet: ändere es dort oder beende ihn.",
  "error.changedElsewhere": "Die Abschnitte von {file} wurden inzwischen anderswo geändert: wähle, welche bleiben.",
  "error.stoppedEarly": "Er wurde angehalten, bevor eine Iteration fertig war, und hat also kein Modell.",
  "error.posesMissing": "Die Posen von {file} sind noch nicht bekannt: bestimme sie.",
  "error.notMedia": "„{name}“ ist dem Namen nach weder Video noch Posendatei.",
  "error.moreFindings": "Es gibt {count} weitere dieser Art.",
  "error.unusableFile": "{file} ist nicht brauchbar: {reason}",
  "error.nobodyVisible": "In der Aufnahme ist keine Person zu sehen: nimm sie mit dem ganzen Körper im Bild auf.",
  "error.startsAfterEnd": "Der Clip beginnt nach dem Ende von {file}.",
  "error.tooManyUploads": "Es laufen {count} Uploads: beende oder entferne erst einen.",
  "error.tooMuchWork": "Andere Videos werden gerade verarbeitet: versuche es gleich noch einmal.",
  "error.notStored": "{part} nicht gespeichert: {reason}",
  "error.noRoom": "Für {file} ({size} Bytes) ist kein Platz: schaffe erst welchen.",
  "error.failed": "Die Arbeit ist fehlgeschlagen: {reason}",
  "note.notEvaluated": "Die Clips eines Bereichs ({well}) wurden nicht ausgewertet: {reason}",
  "note.notCalibrated":
    "Er wurde in Iteration {iteration} angehalten: die Sicherheit ist nicht an ausgelassenen Takes kalibriert.",
  "note.takesRight":
    "{right} von {takes} Takes wurden von Modellen richtig erkannt, die ohne sie trainiert wurden. Andere Personen werden vielleicht weniger gut erkannt.",
  "note.noValidation":
    "Es gibt keine Clips zur Validierung: das Modell ist das der letzten Iteration, und wie gut es andere Videos erkennt, ist nicht bekannt.",
  "set.training": "Training",
  "set.validation": "Validierung",
  "set.test": "Test",
  "otherSet.training": "Training",
  "otherSet.validation": "Validierung",
  "otherSet.test": "Test",
  "part.annotations": "Annotationen",
  "part.change": "Änderung",
  "part.chunk": "Upload",
  "part.items": "Clips",
  "part.model": "Modell",
  "part.poses": "Posen",
  "part.project": "Projekt",
  "part.run": "Lauf",
  "part.take": "Take",
  "part.upload": "Upload",
  "order.pause": "pausiert",
  "order.resume": "fortgesetzt",
  "order.stop": "angehalten",
  "order.more": "länger trainiert",
};
