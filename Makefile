# Every target sets up what it needs; `make` alone says what there is.

PREFIX ?= /usr/local
# Where the network run time and the weights go; the tests and the tools find them through it.
export KINEMA_HOME ?= $(CURDIR)/.kinema
# The Python that runs Scripts/.
PYTHON ?= /usr/bin/python3
# `make APT=no …` leaves the system's packages alone.
APT ?= yes
# `make WARNINGS=error …` fails on any compiler warning.
WARNINGS ?= show

# Python leaves no __pycache__ in Scripts/.
export PYTHONDONTWRITEBYTECODE = 1

swift_flags := -c release
ifeq ($(WARNINGS),error)
swift_flags += -Xswiftc -warnings-as-errors
endif
# The product has a build folder of its own: the static standard library changes how every module
# is compiled, and in one folder the product and the tests would rebuild each other's modules.
product_folder := .build/product
product_flags := $(swift_flags) --scratch-path $(product_folder) --product kinema \
  --static-swift-stdlib
export KINEMA := $(CURDIR)/$(product_folder)/release/kinema

swift_sources := Package.swift Plugins Sources Tests

.NOTPARALLEL:
.PHONY: help live studio demo test test-long pictures abuse test-sanitized test-cluster cluster-packages build \
  setup packages runtime install man check-install tree wheel check-wheel try-wheel try-source deb image \
  release release-arm64 test-arm64 check-release builtin-model builtin-counter builtin-depth builtin-falls builtin-quality builtin-postures bench fuzz soak soak-cameras \
  faults kills hostile bench-training bench-tracking bench-watch bench-depth lab format lint check-web web-types python-options clean distclean

help:
	@echo 'make live                     build kinema and serve the live app: make live SOURCE=… PORT=8642'
	@echo 'make studio                   build kinema and open the studio: make studio PROJECT=… PORT=8642'
	@echo 'make demo                     build kinema and run it on a generated video'
	@echo 'make test                     build and run every test but the long ones'
	@echo 'make test-long                bars of time, hostile, faults, kills, test-cluster, soak, soak-cameras, try-source'
	@echo 'make test-sanitized           run tests that need no speed with sanitizers: SANITIZERS="address thread"'
	@echo 'make test-cluster             test extraction on Ray and Slurm clusters of this machine: VIDEOS=…'
	@echo 'make cluster-packages         install Ray and Slurm for make test-cluster'
	@echo 'make build                    build kinema ($(product_folder)/release/kinema)'
	@echo 'make setup                    install what the build and the tools need'
	@echo 'make install PREFIX=/usr/local   install kinema'
	@echo 'make check-install            test an installation in a temporary folder'
	@echo 'make man                      the manual pages: .build/man'
	@echo 'make wheel                    the Python wheel, with the program in it: $(wheel_folder)/dist'
	@echo 'make try-wheel                try the wheel in bare Debian systems (root): SUITES="bookworm trixie" VIDEO=… WHEEL=…'
	@echo 'make try-source               README'"'"'s commands in bare Debian systems (root): SUITES="trixie" TESTS=build|no'
	@echo 'make deb                      the Debian package, with a systemd unit'
	@echo 'make image                    the OCI image'
	@echo 'make release                  all of these for both processors, their parts, changes, checksums: ARM64=no'
	@echo 'make test-arm64               what computes, tested for 64-bit ARM in emulation (root), hours'
	@echo 'make check-release            make the release again, elsewhere, and compare its bytes'
	@echo 'make builtin-model            train the built-in classifiers, or MODEL: MOTION=folder COURSE=course.json NETWORKS=folder'
	@echo 'make builtin-counter          train the built-in model Repetitions on synthetic people'
	@echo 'make builtin-depth            train the model of bodies in three dimensions: MOTION=folder'
	@echo 'make builtin-falls            learn the score of falls: CLIPS="falls/index.csv …" MOTION=folder'
	@echo 'make builtin-quality          learn right executions of movements: MOTION=folder'
	@echo 'make builtin-postures         learn the model of postures: MOTION=folder CLIPS="clips/index.csv …"'
	@echo 'make bench                    compare with MediaPipe, PyTorch and onnxruntime: make bench CLIP=… MODEL=… ROUNDS=5'
	@echo 'make bench-watch              what watched cameras cost, and when people are seen: SECONDS=… CAMERAS=…'
	@echo 'make bench-depth              compare bodies in space with four calibrated cameras and with MediaPipe'
	@echo 'make bench-tracking           compare the metrics of tracking with TrackEval: SCENES=…'
	@echo 'make lab                      measure how right models are about real people: LABELLED=../shared MODELS=…'
	@echo 'make bench-training           the part of it with PyTorch and onnxruntime: MODEL=… ROUNDS=5'
	@echo 'make fuzz SECONDS=60             fuzz every reader of foreign bytes: TARGETS="model poseLines"'
	@echo 'make soak HOURS=1               run a live server with failing sources and uploads: RATE=10'
	@echo 'make soak-cameras HOURS=1       run kinema watch on cameras that fail, by day and night: CAMERAS=16'
	@echo 'make faults                     fail every write, rename, open … in turn: POINTS=5'
	@echo 'make pictures                 compare the pages with the accepted pictures: ACCEPT=yes ONLY="live-start …"'
	@echo 'make abuse                      play all attacks, faults and kills that SECURITY.md names'
	@echo 'make kills MOMENTS=200          kill extraction, training and a live server at many moments'
	@echo 'make hostile                    play hostile clients against a live server: CONNECTIONS=500'
	@echo 'make format                   format the sources'
	@echo 'make lint                     check the format of the sources and the types of the web modules'
	@echo 'make clean                    remove build products; make distclean: also downloads'

live: build
	@'$(KINEMA)' live $(if $(PORT),--port $(PORT)) $(SOURCE)

studio: build
	@'$(KINEMA)' studio $(if $(PORT),--port $(PORT)) $(PROJECT)

demo: build
	@Scripts/demo.sh

# Recipes, rules and thresholds are chosen by these figures; LABELLED has folders with an index.csv each.
LABELLED ?= ../shared
lab: build
	@'$(KINEMA)' bench real-people $(if $(MODELS),--models '$(MODELS)') \
	  $(wildcard $(foreach name,clips exercises life falls,$(LABELLED)/$(name)/index.csv))

SECONDS ?= 60
fuzz_folder := .build/fuzz
fuzz: setup
	KINEMA_FUZZ=1 swift build -c release --scratch-path $(fuzz_folder) --product kinema-fuzz \
	  -Xswiftc -sanitize=fuzzer -Xswiftc -sanitize=address -Xswiftc -use-ld=lld
	@Scripts/fuzz.sh $(fuzz_folder)/release/kinema-fuzz $(SECONDS) $(TARGETS)

# A picture of memory, descriptors and latency over time in .build/soak, held to bars.
soak: build
	@$(PYTHON) Scripts/soak/soak.py $(if $(HOURS),--hours $(HOURS)) $(if $(RATE),--rate $(RATE))

# The same of kinema watch in .build/soak-cameras, with what was reported wrongly or late.
soak-cameras: build
	@$(PYTHON) Scripts/soak/cameras.py $(if $(HOURS),--hours $(HOURS)) $(if $(CAMERAS),--cameras $(CAMERAS))

faults: build
	@$(PYTHON) Tests/Faults/faults.py $(if $(POINTS),--points $(POINTS))
	@$(PYTHON) Tests/Faults/server_faults.py $(if $(POINTS),--points $(POINTS))

kills: build
	@$(PYTHON) Tests/Faults/kills.py $(if $(MOMENTS),--moments $(MOMENTS))

hostile: build
	@$(PYTHON) Tests/HostileClients/hostile.py $(if $(CONNECTIONS),--connections $(CONNECTIONS))

# The tests run the executable that is built with them; Scripts/test/run.py says in which order.
test test-long abuse: export KINEMA = $(CURDIR)/.build/release/kinema
test: setup
	@$(PYTHON) Scripts/setup/runtime.py '$(KINEMA_HOME)/tests' tests
	@$(PYTHON) Scripts/test/run.py $(swift_flags)

# What takes hours, and what has a bar of time: for a machine with nothing else to do.
test-long: setup
	@$(PYTHON) Scripts/setup/runtime.py '$(KINEMA_HOME)/tests' tests
	@$(PYTHON) Scripts/test/run.py --long $(swift_flags)

# The pages in all states, sizes and themes against the accepted pictures; ACCEPT=yes accepts them as they are now.
pictures: build
	@$(PYTHON) Scripts/setup/runtime.py '$(KINEMA_HOME)/tests' tests
	@$(PYTHON) Tests/KinemaServerTests/Browser/pictures.py look --out .build/pictures \
	  $(if $(ACCEPT),--accept) $(if $(ONLY),--only $(ONLY))

# What SECURITY.md promises, as one table.
abuse: setup
	@$(PYTHON) Scripts/setup/runtime.py '$(KINEMA_HOME)/tests' tests
	@$(PYTHON) Scripts/test/run.py --abuse $(swift_flags)

# Errors of memory, then races between threads; each sanitizer has a build folder of its own.
SANITIZERS ?= address thread
test-sanitized: setup
	@Scripts/test-sanitized.sh $(SANITIZERS)

# Ray from PyPI; Slurm as root.
test-cluster: build cluster-packages
	@.cluster/bin/python Scripts/cluster/ray_test.py '$(KINEMA)' ../shared/clips \
	  $(if $(VIDEOS),--videos $(VIDEOS))
	@$(PYTHON) Scripts/cluster/slurm_test.py '$(KINEMA)' ../shared/clips \
	  $(if $(VIDEOS),--videos $(VIDEOS))

cluster-packages: packages
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/cluster/apt-packages.txt
endif
	@PYTHON='$(PYTHON)' Scripts/bench/setup.sh .cluster ../cluster/requirements.txt

build: setup
	swift build $(product_flags)

setup: packages runtime

packages:
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/setup/apt-packages.txt
	@Scripts/setup/swift.sh --install
else
	@Scripts/setup/swift.sh
endif

runtime: packages
	@$(PYTHON) Scripts/setup/runtime.py '$(KINEMA_HOME)'

# The models that come with Kinema, or MODEL, from their recipes: the same sources and the same folder MOTION
# of motion capture give the same files. Exercise and Workout are made of the same networks; with NETWORKS, a folder
# for these sources alone, an interrupted run goes on.
networks = $(or $(NETWORKS),$(product_folder)/networks)
builtin-model: build
	$(if $(NETWORKS),,rm -rf '$(networks)')
	for model in $(or $(MODEL),Exercise Workout Motions); do \
	  case $$model in Motions) motion=; course=; trainings=;; \
    *) motion='$(MOTION)'; course='$(COURSE)'; trainings=2;; esac; \
	  '$(KINEMA)' model make $$model --output Resources/$$model.mlmodel \
	    $${motion:+--motion "$$motion"} $${course:+--course "$$course"} \
    $${trainings:+--trainings $$trainings --networks '$(networks)'} || exit; done

builtin-counter: build
	'$(KINEMA)' model make Repetitions --output Resources/Repetitions.mlmodel

builtin-depth: build
	'$(KINEMA)' model make Depth --output Resources/Depth.mlmodel $(if $(MOTION),--motion '$(MOTION)')

# The score of falls, from tables of real clips, CLIPS, and motion capture in the folder MOTION; some of its signs
# are postures: it is learned again after the model of those.
builtin-falls: build
	'$(KINEMA)' bench falls $(CLIPS) --motion '$(MOTION)' --fit Resources/Falls.json

# What right executions are like, from motion capture of right and wrong ones in the folder MOTION.
builtin-quality: build
	'$(KINEMA)' bench form --motion '$(MOTION)' --fit Resources/Quality.json

# The model of postures, from synthetic people and motion capture in the folder MOTION; measured with the
# tables of real clips, CLIPS.
builtin-postures: build
	'$(KINEMA)' bench postures $(CLIPS) --motion '$(MOTION)' --fit Resources/Postures.json

install: build
	@Scripts/install.sh '$(PREFIX)'

# The manual pages, made from the help of the commands.
man: build
	@'$(KINEMA)' help --man .build/man

check-install: build
	@Scripts/check-install.sh

# The wheel, the Debian package and the image hold one tree.
wheel_folder := .build/wheel
dist := $(wheel_folder)/dist
wheel = $(wildcard $(dist)/kinema-*_$(shell uname -m).whl)

tree: build
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/wheel/apt-packages.txt
endif
	@$(PYTHON) Scripts/wheel/tree.py $(wheel_folder)

# The time of what is packed: that of the last commit.
tree wheel deb image release release-arm64: export SOURCE_DATE_EPOCH ?= \
  $(shell git log -1 --format=%ct 2>/dev/null || date +%s)

wheel: tree
	@rm -f $(dist)/*.whl
	@$(PYTHON) Scripts/wheel/wheel.py $(wheel_folder)/tree $(dist)
	@$(MAKE) --no-print-directory check-wheel

check-wheel:
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade --require-hashes \
	  --target $(wheel_folder)/tools --requirement Scripts/wheel/requirements.txt
	@$(PYTHON) Scripts/wheel/check.py $(wheel)
	@PYTHONPATH=$(wheel_folder)/tools $(PYTHON) -m auditwheel show $(wheel)

try-wheel:
	@$(PYTHON) Scripts/wheel/try.py $(or $(WHEEL),$(wheel)) $(or $(VIDEO),../shared/clips/aero_jacks.mp4) $(SUITES)

# README's commands, from a clone in bare systems.
try-source:
	@$(PYTHON) Scripts/check/source.py $(SUITES)

deb: tree
	@Scripts/wheel/deb.sh $(wheel_folder)/tree $(dist)

image: tree
	@Scripts/wheel/image.sh $(wheel_folder)/tree $(dist)

# Everything that is published, of the committed state: the packages for both processors, what is in them, what is
# new, and checksums. ARM64=no leaves 64-bit ARM out, which takes root and an emulator.
ARM64 ?= yes
release:
	@test -z "$$(git status --porcelain)" || { \
	  echo 'release: there are changes that are not committed' >&2; exit 1; }
	@rm -rf $(dist) $(wheel_folder)/arm64
	@$(MAKE) --no-print-directory wheel deb image
ifeq ($(ARM64),yes)
	@$(MAKE) --no-print-directory release-arm64
endif
	@PYTHONPATH=$(wheel_folder)/tools $(PYTHON) Scripts/wheel/release.py $(wheel_folder)

release-arm64:
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/wheel/apt-arm64.txt
endif
	@$(PYTHON) Scripts/wheel/arm64.py $(wheel_folder)

# Tests of what computes, compiled for 64-bit ARM and run in emulation, of the committed state; hours.
test-arm64:
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/wheel/apt-arm64.txt
endif
	@$(PYTHON) Scripts/wheel/arm64.py $(wheel_folder) tests

# Makes the release again, from a clone in another folder, and compares the checksums.
check-release:
	@Scripts/wheel/again.sh $(dist)/SHA256SUMS $(wheel_folder)/again

bench: build
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/bench/apt-packages.txt
endif
	@PYTHON='$(PYTHON)' Scripts/bench/setup.sh .bench
	@.bench/bin/python Scripts/bench/bench.py $(if $(CLIP),--clip '$(CLIP)') \
	  $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(MODEL),--model '$(MODEL)')
	@.bench/bin/python Scripts/bench/throughput.py $(if $(CLIP),--clip '$(CLIP)') \
	  $(if $(ROUNDS),--rounds $(ROUNDS))
	@.bench/bin/python Scripts/bench/python.py $(if $(CLIP),'$(CLIP)') $(if $(ROUNDS),--rounds $(ROUNDS))
	@$(MAKE) --no-print-directory bench-training

# PyTorch has an environment of its own: MediaPipe's is bound to old versions of Python.
bench-training: build
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/bench/apt-packages.txt
endif
	@PYTHON='$(PYTHON)' Scripts/bench/setup-training.sh .bench-training
	@.bench-training/bin/python Scripts/bench/training.py $(if $(ROUNDS),--rounds $(ROUNDS))
	@.bench-training/bin/python Scripts/bench/time_to_accuracy.py $(if $(ROUNDS),--rounds $(ROUNDS))
	@.bench-training/bin/python Scripts/bench/onnx_prediction.py $(if $(MODEL),'$(MODEL)') \
	  $(if $(ROUNDS),--rounds $(ROUNDS))

# What watched cameras cost, with Frigate's published figures beside it.
bench-watch: build
	@KINEMA='$(KINEMA)' $(PYTHON) Scripts/bench/watch.py $(if $(SECONDS),--seconds $(SECONDS)) \
	  $(if $(CAMERAS),--cameras $(CAMERAS))
	@'$(KINEMA)' bench entrances $(if $(ENTRANCES),--entrances $(ENTRANCES))

# Bodies in three dimensions against what four calibrated cameras saw, beside MediaPipe's metric landmarks.
bench-depth: build
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/bench/apt-packages.txt
endif
	@PYTHON='$(PYTHON)' Scripts/bench/setup.sh .bench
	@.bench/bin/python -m pip download --quiet --disable-pip-version-check --no-deps \
	  --only-binary=:all: --dest .bench pose2sim==0.10.49
	@.bench/bin/python Scripts/bench/cameras.py .bench/pose2sim-0.10.49-py3-none-any.whl

# The metrics of `kinema bench people` against TrackEval's, on the same tracks.
bench-tracking: build
	@PYTHON='$(PYTHON)' Scripts/bench/setup.sh .bench-tracking requirements-tracking.txt
	@'$(KINEMA)' bench people $(if $(SCENES),--scenes $(SCENES)) \
	  --export .bench-tracking/tracks --format json > .bench-tracking/report.json
	@.bench-tracking/bin/python Scripts/bench/tracking.py .bench-tracking/report.json \
	  .bench-tracking/tracks

format: packages
	swift format --in-place --recursive --parallel $(swift_sources)

lint: packages check-web
	$(PYTHON) Scripts/check/dependencies.py
	$(PYTHON) Scripts/check/names.py
	$(PYTHON) Scripts/check/ratchet.py
	swift format lint --strict --recursive --parallel $(swift_sources)

# The JSDoc types of the live app's modules.
check-web: packages
	$(PYTHON) Scripts/web/page_types.py --check
	tsc --project Resources/jsconfig.json

# The types of the pages' JSON, from docs/schemas.
web-types:
	$(PYTHON) Scripts/web/page_types.py

# The keywords of the Python functions, from the options of the commands.
python-options:
	$(PYTHON) Scripts/python/options.py '$(KINEMA)'

clean:
	rm -rf .build demo

distclean: clean
	rm -rf .kinema .bench .bench-training .bench-tracking .cluster
