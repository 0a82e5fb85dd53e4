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

swift_sources := Package.swift Sources Tests

.NOTPARALLEL:
.PHONY: help live studio demo test build setup packages runtime install check-install builtin-model \
  builtin-counter bench fuzz bench-training bench-tracking format lint check-web clean distclean

help:
	@echo 'make live                     build kinema and serve the live app: make live SOURCE=… PORT=8642'
	@echo 'make studio                   build kinema and open the studio: make studio PROJECT=… PORT=8642'
	@echo 'make demo                     build kinema and run it on a generated video'
	@echo 'make test                     build and run every test'
	@echo 'make build                    build kinema ($(product_folder)/release/kinema)'
	@echo 'make setup                    install what the build and the tools need'
	@echo 'make install PREFIX=/usr/local   install kinema'
	@echo 'make check-install            test an installation in a temporary folder'
	@echo 'make builtin-model            train the built-in model Exercise on synthetic people'
	@echo 'make builtin-counter          train the built-in model Repetitions on synthetic people'
	@echo 'make bench                    compare with MediaPipe, PyTorch and onnxruntime: make bench CLIP=… MODEL=… ROUNDS=5'
	@echo 'make bench-tracking           compare the metrics of tracking with TrackEval: SCENES=…'
	@echo 'make bench-training           the part of it with PyTorch and onnxruntime: MODEL=… ROUNDS=5'
	@echo 'make fuzz SECONDS=60             fuzz every reader of foreign bytes: TARGETS="model poseLines"'
	@echo 'make format                   format the sources'
	@echo 'make lint                     check the format of the sources and the types of the web modules'
	@echo 'make clean                    remove build products; make distclean: also downloads'

live: build
	@'$(KINEMA)' live $(if $(PORT),--port $(PORT)) $(SOURCE)

studio: build
	@'$(KINEMA)' studio $(if $(PORT),--port $(PORT)) $(PROJECT)

demo: build
	@Scripts/demo.sh

SECONDS ?= 60
fuzz_folder := .build/fuzz
fuzz: setup
	KINEMA_FUZZ=1 swift build -c release --scratch-path $(fuzz_folder) --product kinema-fuzz \
	  -Xswiftc -sanitize=fuzzer -Xswiftc -sanitize=address -Xswiftc -use-ld=lld
	@Scripts/fuzz.sh $(fuzz_folder)/release/kinema-fuzz $(SECONDS) $(TARGETS)

# Tests with servers, live sources and a browser have the machine to themselves: they come first.
live_tests := KinemaServerTests|LiveCommandTests|KinemaVideoTests.Live|SyntheticLiveStreamTests

# The tests run the executable that is built with them.
test: export KINEMA = $(CURDIR)/.build/release/kinema
test: setup
	@$(PYTHON) Scripts/setup/runtime.py '$(KINEMA_HOME)/tests' tests
	swift build $(swift_flags) --build-tests
	swift test $(swift_flags) --skip-build --filter '$(live_tests)'
	swift test $(swift_flags) --skip-build --skip '$(live_tests)'

build: setup
	swift build $(product_flags)

setup: packages runtime

packages:
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/setup/apt-packages.txt
endif
	@Scripts/setup/swift.sh

runtime: packages
	@$(PYTHON) Scripts/setup/runtime.py '$(KINEMA_HOME)'

# The models that come with Kinema, or MODEL, from their recipes: the same sources give the same files.
builtin-model: build
	for model in $(or $(MODEL),Exercise Workout); do \
	  '$(KINEMA)' model make $$model --output Resources/$$model.mlmodel || exit; done

builtin-counter: build
	'$(KINEMA)' model make Repetitions --output Resources/Repetitions.mlmodel

install: build
	@Scripts/install.sh '$(PREFIX)'

check-install: build
	@Scripts/check-install.sh

bench: build
ifeq ($(APT),yes)
	@Scripts/setup/apt.sh Scripts/bench/apt-packages.txt
endif
	@PYTHON='$(PYTHON)' Scripts/bench/setup.sh .bench
	@.bench/bin/python Scripts/bench/bench.py $(if $(CLIP),--clip '$(CLIP)') \
	  $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(MODEL),--model '$(MODEL)')
	@.bench/bin/python Scripts/bench/throughput.py $(if $(CLIP),--clip '$(CLIP)') \
	  $(if $(ROUNDS),--rounds $(ROUNDS))
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

# The metrics of `kinema bench --people` against TrackEval's, on the same tracks.
bench-tracking: build
	@PYTHON='$(PYTHON)' Scripts/bench/setup.sh .bench-tracking requirements-tracking.txt
	@'$(KINEMA)' bench --people $(if $(SCENES),--scenes $(SCENES)) \
	  --export .bench-tracking/tracks --format json > .bench-tracking/report.json
	@.bench-tracking/bin/python Scripts/bench/tracking.py .bench-tracking/report.json \
	  .bench-tracking/tracks

format: packages
	swift format --in-place --recursive --parallel $(swift_sources)

lint: packages check-web
	swift format lint --strict --recursive --parallel $(swift_sources)

# The JSDoc types of the live app's modules.
check-web: packages
	tsc --project Resources/jsconfig.json

clean:
	rm -rf .build demo

distclean: clean
	rm -rf .kinema .bench .bench-training .bench-tracking
