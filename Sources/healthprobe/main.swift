internal import Commands

HealthProbe.main()
